/**
 * Middleware for servers with layers of the form `(req, res, next)`, as far as it needs nothing that a framework adds
 * to them.
 */
import { benchSession, logLine } from './fixtures.mjs';
import { isAllowed, LONG_CHAIN, renewSession } from './workload.mjs';

/** Creates middleware at its first request: a process that never serves its route does not pay for loading it. */
export function lazy(make) {
	let middleware;
	return (req, res, next) => {
		middleware ??= make();
		return middleware(req, res, next);
	};
}

/** The default export of a module as middleware, loaded at its first request. */
export function lazyImport(load) {
	let middleware;
	return (req, res, next) => {
		if (middleware !== undefined) return middleware(req, res, next);
		load().then((module) => {
			middleware = module.default;
			middleware(req, res, next);
		}, next);
	};
}

/** Returns a function that makes the middleware of a schema, which answers 422 unless the body follows it. */
export const validatesWith = (compile) => (schema) =>
	lazy(() => {
		const isValid = compile(schema);
		return (req, _res, next) => next(isValid(req.body) ? undefined : { status: 422 });
	});

export function loadSession(req, _res, next) {
	req.session = benchSession();
	next();
}

export function touchSession(req, _res, next) {
	req.session = renewSession(req.session);
	next();
}

export function allow(req, _res, next) {
	next(isAllowed(req.session) ? undefined : { status: 403 });
}

export function logRequest(req, _res, next) {
	logLine(`${req.method} ${req.originalUrl} ${req.id}`);
	next();
}

export function markFirst(req, _res, next) {
	req.first = true;
	next();
}

export function markSecond(req, _res, next) {
	req.second = true;
	next();
}

/** Layers of the long chain; each increments `req.passed`. */
export const longChain = Array.from({ length: LONG_CHAIN }, () => (req, _res, next) => {
	req.passed = (req.passed ?? 0) + 1;
	next();
});

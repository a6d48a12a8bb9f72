import { randomUUID } from 'node:crypto';
import { nestedDocument } from '../shared/fixtures.mjs';
import {
	compute,
	describeUser,
	GREETING,
	hasLogged,
	isAllowed,
	LONG_CHAIN,
	logSink,
	ROUTE_COUNTS,
	renewSession,
	responseTime,
	routeAnswer,
	routesOf,
	WORK_SIZES,
	waitFor,
} from '../shared/workload.mjs';

/**
 * Adds texts, sessions, chains of steps, many routes and work to the router, built from the parts of the other routes.
 */
export function wireWorkload(router, { answer, refuse, loadSession, parse, validate, createRouter }) {
	const mark = (name) => () => ({ value: { [name]: true } });
	router.get('/', { execute: () => answer(GREETING) });
	router.get('/favicon.ico', { execute: () => ({ response: { statusCode: 204 } }) });
	router.get('/user/:id', [
		mark('first'),
		mark('second'),
		(_req, _res, { route }) => answer(describeUser(route.params.id)),
	]);
	router.get('/serialise', { execute: () => answer(nestedDocument()) });

	const readCredentials = ({ headers }) => ({ value: { credentials: headers.authorization } });
	router.get('/middleware-chain', [
		() => ({ value: { startedAt: performance.now() } }),
		(_req, res) => res.setHeader('X-Bench-Request-Id', randomUUID()) && undefined,
		readCredentials,
		(_req, res, { startedAt }) => {
			res.setHeader('X-Response-Time', responseTime(startedAt));
			return answer({ message: 'Middleware chain complete', authenticated: true });
		},
	]);
	router.get('/chain', {
		execute: (_req, res) => {
			const startedAt = performance.now();
			const requestId = randomUUID();
			res.setHeader('X-Bench-Request-Id', requestId);
			res.setHeader('X-Response-Time', responseTime(startedAt));
			return answer({ message: 'Chain complete', requestId, authenticated: true });
		},
	});
	router.post('/full', [
		loadSession,
		(_req, _res, { session }) => ({ value: { session: renewSession(session) } }),
		(_req, _res, { session }) => (isAllowed(session) ? undefined : refuse(403)),
		parse,
		validate,
		(_req, _res, { body }) => answer({ echo: body.parsed.name }),
	]);

	const chain = Array.from({ length: LONG_CHAIN }, () => (_req, _res, { passed = 0 }) => ({
		value: { passed: passed + 1 },
	}));
	router.get('/middleware-0', { execute: () => answer({ passed: 0 }) });
	router.get('/middleware-20', [...chain, (_req, _res, { passed }) => answer({ passed })]);

	router.get('/logging', {
		logger: { log: (entry) => logSink.write(JSON.stringify(entry)) },
		execute: () => answer({ ok: true }),
	});
	router.get('/logged', { execute: () => answer({ logged: hasLogged('/logging') }) });

	for (const size of WORK_SIZES) {
		router.get(`/cpu/${size}`, { execute: () => answer(compute(size)) });
		router.get(`/wait/${size}`, { execute: async () => answer(await waitFor(size)) });
	}
	for (const count of ROUTE_COUNTS) {
		let handle;
		router.get(`/routes-${count}/*`, (req, res) => {
			handle ??= makeRouter(createRouter, answer, count).handle();
			return handle(req, res);
		});
	}
}

/** A separate router with `count` routes, created at its first request. */
function makeRouter(createRouter, answer, count) {
	const router = createRouter();
	for (const { number, prefix } of routesOf(count)) {
		router.get(`${prefix}:id`, {
			execute: (_req, _res, { route }) => answer(routeAnswer(number, route.params.id)),
		});
	}
	return router;
}

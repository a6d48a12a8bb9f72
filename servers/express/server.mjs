import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import express from 'express';
import { askedRoutes } from '../shared/asked-routes.mjs';
import {
	allow,
	lazy,
	lazyImport,
	loadSession,
	logRequest,
	longChain,
	markFirst,
	markSecond,
	touchSession,
	validatesWith,
} from '../shared/connect.mjs';
import {
	cachedUser,
	countRequest,
	createdUser,
	isAuthorized,
	nestedDocument,
	RATE_LIMIT,
	readClaims,
	STACK_TIMEOUT_MS,
} from '../shared/fixtures.mjs';
import {
	compute,
	describeUser,
	GREETING,
	hasLogged,
	logSink,
	ROUTE_COUNTS,
	responseTime,
	routeAnswer,
	routesOf,
	WORK_SIZES,
	waitFor,
} from '../shared/workload.mjs';
import { bookingSchema, compile, nameSchema, profileSchema, userSchema } from './validation.mjs';

const require = createRequire(import.meta.url);

/** Answers 422 unless the body follows a schema. */
const validate = validatesWith(compile);

function authenticate(req, _res, next) {
	next(isAuthorized(req.get('authorization')) ? undefined : { status: 401 });
}

function createUser(req, res) {
	res.status(201).json(createdUser(req.body));
}

const app = askedRoutes(express());
const parseJson = express.json();

app.get('/ping', (_req, res) => res.json({ ok: true }));
app.get('/json', (_req, res) => res.json({ message: 'Hello, World!' }));
app.get('/json/nested', (_req, res) => res.json(nestedDocument()));
app.get('/items/:id', (req, res) => res.json({ id: req.params.id }));
app.get('/users/:id', (req, res) => res.json({ id: req.params.id, query: req.query }));
app.get('/auth/users/:id', authenticate, (req, res) => res.json({ id: req.params.id }));

app.post('/users', parseJson, createUser);
app.post('/schema', parseJson, validate(nameSchema), (req, res) => res.json({ echo: req.body.name }));
app.post('/validate', parseJson, validate(profileSchema), (_req, res) => res.json({ valid: true }));
app.post('/auth/users', authenticate, parseJson, validate(userSchema), createUser);

app.get('/middleware', loadSession, (_req, res) => res.json({ ok: true }));
app.get('/middleware-5', addRequestId, logRequest, readJwt, countClient, addPoweredBy, (_req, res) =>
	res.json({ message: 'Hello, World!' }),
);

app.get('/cached/users/:id', (req, res) => res.json(cachedUser(req.params.id)));

app.post(
	'/stack/auth/users',
	lazy(() => require('connect-timeout')(STACK_TIMEOUT_MS)),
	lazy(() => require('cors')({ origin: '*', methods: 'POST', allowedHeaders: ['Authorization', 'Content-Type'] })),
	lazy(() => require('compression')({ threshold: 0 })),
	requireJsonAccepted,
	authenticate,
	parseJson,
	validate(userSchema),
	createUser,
);

app.post('/rate-limited/users', lazy(limitRate), authenticate, parseJson, validate(userSchema), createUser);

app.get('/', (_req, res) => res.type('text/plain').send(GREETING));
app.get('/favicon.ico', (_req, res) => res.status(204).end());
app.get('/user/:id', markFirst, markSecond, (req, res) => res.type('text/plain').send(describeUser(req.params.id)));

app.get(
	'/middleware-chain',
	lazy(() => require('response-time')()),
	addBenchRequestId,
	readCredentials,
	(_req, res) => res.json({ message: 'Middleware chain complete', authenticated: true }),
);
app.get('/chain', (req, res) => {
	const startedAt = performance.now();
	const requestId = randomUUID();
	res.set('X-Bench-Request-Id', requestId);
	req.credentials = req.get('authorization');
	res.set('X-Response-Time', responseTime(startedAt));
	res.json({ message: 'Chain complete', requestId, authenticated: true });
});
app.post('/full', loadSession, touchSession, allow, parseJson, validate(nameSchema), (req, res) =>
	res.json({ echo: req.body.name }),
);
app.get('/serialise', (_req, res) => res.json(nestedDocument()));

app.get('/middleware-0', (_req, res) => res.json({ passed: 0 }));
app.get('/middleware-20', longChain, (req, res) => res.json({ passed: req.passed }));

app.get(
	'/logging',
	lazy(() => require('morgan')('combined', { stream: logSink })),
	(_req, res) => res.json({ ok: true }),
);
app.get('/logged', (_req, res) => res.json({ logged: hasLogged('/logging') }));

for (const size of WORK_SIZES) {
	app.get(`/cpu/${size}`, (_req, res) => res.json(compute(size)));
	app.get(`/wait/${size}`, async (_req, res) => {
		res.json(await waitFor(size));
	});
}

for (const count of ROUTE_COUNTS) {
	app.use(
		`/routes-${count}`,
		lazy(() => makeRouter(count)),
	);
}

app.post('/validate-formats', parseJson, validate(bookingSchema), (_req, res) => res.json({ valid: true }));

app.use(
	'/browser',
	lazyImport(() => import('./browser.mjs')),
);

app.use((_req, _res, next) => next({ status: 404 }));
app.use((error, _req, res, next) => {
	if (res.headersSent) return next(error);
	const status = error.status ?? 500;
	if (status >= 500) console.error(error);
	res.status(status).json({ error: STATUS_CODES[status] });
});

/** A separate router with `count` routes. It is mounted, so its paths lack the first part. */
function makeRouter(count) {
	const router = express.Router();
	for (const { number, prefix } of routesOf(count)) {
		const path = prefix.replace(`/routes-${count}`, '');
		router.get(`${path}:id`, (req, res) => res.json(routeAnswer(number, req.params.id)));
	}
	return router;
}

function addBenchRequestId(_req, res, next) {
	res.set('X-Bench-Request-Id', randomUUID());
	next();
}

function readCredentials(req, _res, next) {
	req.credentials = req.get('authorization');
	next();
}

function addRequestId(req, res, next) {
	req.id = randomUUID();
	res.set('X-Request-Id', req.id);
	next();
}

function readJwt(req, _res, next) {
	req.claims = readClaims(req.get('authorization'));
	next(req.claims === undefined ? { status: 401 } : undefined);
}

function countClient(req, _res, next) {
	next(countRequest(req.ip) ? { status: 429 } : undefined);
}

function addPoweredBy(_req, res, next) {
	res.set('X-Powered-By-Bench', 'express');
	next();
}

function requireJsonAccepted(req, _res, next) {
	next(req.accepts('json') ? undefined : { status: 406 });
}

function limitRate() {
	return require('express-rate-limit').rateLimit({
		windowMs: RATE_LIMIT.windowMs,
		limit: RATE_LIMIT.requests,
		standardHeaders: 'draft-8',
		legacyHeaders: false,
		handler: (_req, _res, next) => next({ status: 429 }),
		// Its check forbids creation during a request; `lazy` creates it there, but only once.
		validate: { creationStack: false },
	});
}

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', (error) => {
	if (error) throw error;
});

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import send from '@polka/send-type';
import bodyParser from 'body-parser';
import polka from 'polka';
import { ajvCompiler } from '../shared/ajv.mjs';
import { askedRoutes } from '../shared/asked-routes.mjs';
import {
	allow,
	lazy,
	loadSession,
	logRequest,
	longChain,
	markFirst,
	markSecond,
	touchSession,
	validatesWith,
} from '../shared/connect.mjs';
import {
	bookingSchema,
	cachedUser,
	countRequest,
	createdUser,
	isAuthorized,
	nameSchema,
	nestedDocument,
	profileSchema,
	RATE_LIMIT,
	readClaims,
	STACK_TIMEOUT_MS,
	userSchema,
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

const require = createRequire(import.meta.url);

/** Answers 422 unless the body follows a schema. */
const validate = validatesWith(ajvCompiler(require));

function authenticate(req, _res, next) {
	next(isAuthorized(req.headers.authorization) ? undefined : { status: 401 });
}

function createUser(req, res) {
	send(res, 201, createdUser(req.body));
}

function addRequestId(req, res, next) {
	req.id = randomUUID();
	res.setHeader('X-Request-Id', req.id);
	next();
}

function readJwt(req, _res, next) {
	req.claims = readClaims(req.headers.authorization);
	next(req.claims === undefined ? { status: 401 } : undefined);
}

function countClient(req, _res, next) {
	next(countRequest(req.socket.remoteAddress) ? { status: 429 } : undefined);
}

function addPoweredBy(_req, res, next) {
	res.setHeader('X-Powered-By-Bench', 'polka');
	next();
}

function requireJsonAccepted(req, _res, next) {
	next(require('accepts')(req).type(['json']) ? undefined : { status: 406 });
}

function limitRate() {
	return require('express-rate-limit').rateLimit({
		windowMs: RATE_LIMIT.windowMs,
		limit: RATE_LIMIT.requests,
		// The newer drafts, and every check of the set-up, need Express's additions to answers.
		standardHeaders: 'draft-7',
		legacyHeaders: false,
		keyGenerator: (req) => req.socket.remoteAddress,
		handler: (_req, _res, next) => next({ status: 429 }),
		validate: false,
	});
}

function addBenchRequestId(_req, res, next) {
	res.setHeader('X-Bench-Request-Id', randomUUID());
	next();
}

function readCredentials(req, _res, next) {
	req.credentials = req.headers.authorization;
	next();
}

function onError(error, _req, res) {
	const status = error.status ?? 500;
	if (status >= 500) console.error(error);
	if (res.headersSent) return res.destroy();
	send(res, status, { error: STATUS_CODES[status] });
}

const handlers = { onError, onNoMatch: (req, res) => onError({ status: 404 }, req, res) };
const app = askedRoutes(polka(handlers));
const parseJson = bodyParser.json();

app.get('/ping', (_req, res) => send(res, 200, { ok: true }));
app.get('/json', (_req, res) => send(res, 200, { message: 'Hello, World!' }));
app.get('/json/nested', (_req, res) => send(res, 200, nestedDocument()));
app.get('/items/:id', (req, res) => send(res, 200, { id: req.params.id }));
app.get('/users/:id', (req, res) => send(res, 200, { id: req.params.id, query: req.query }));
app.get('/auth/users/:id', authenticate, (req, res) => send(res, 200, { id: req.params.id }));

app.post('/users', parseJson, createUser);
app.post('/schema', parseJson, validate(nameSchema), (req, res) => send(res, 200, { echo: req.body.name }));
app.post('/validate', parseJson, validate(profileSchema), (_req, res) => send(res, 200, { valid: true }));
app.post('/auth/users', authenticate, parseJson, validate(userSchema), createUser);

app.get('/middleware', loadSession, (_req, res) => send(res, 200, { ok: true }));
app.get('/middleware-5', addRequestId, logRequest, readJwt, countClient, addPoweredBy, (_req, res) =>
	send(res, 200, { message: 'Hello, World!' }),
);

app.get('/cached/users/:id', (req, res) => {
	const body = JSON.stringify(cachedUser(req.params.id));
	const etag = require('etag')(body);
	if (require('fresh')(req.headers, { etag })) return send(res, 304, '', { ETag: etag });
	send(res, 200, body, { ETag: etag, 'Content-Type': 'application/json' });
});

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

app.get('/', (_req, res) => send(res, 200, GREETING));
app.get('/favicon.ico', (_req, res) => send(res, 204));
app.get('/user/:id', markFirst, markSecond, (req, res) => send(res, 200, describeUser(req.params.id)));

app.get(
	'/middleware-chain',
	lazy(() => require('response-time')()),
	addBenchRequestId,
	readCredentials,
	(_req, res) => send(res, 200, { message: 'Middleware chain complete', authenticated: true }),
);
app.get('/chain', (req, res) => {
	const startedAt = performance.now();
	const requestId = randomUUID();
	res.setHeader('X-Bench-Request-Id', requestId);
	req.credentials = req.headers.authorization;
	res.setHeader('X-Response-Time', responseTime(startedAt));
	send(res, 200, { message: 'Chain complete', requestId, authenticated: true });
});
app.post('/full', loadSession, touchSession, allow, parseJson, validate(nameSchema), (req, res) =>
	send(res, 200, { echo: req.body.name }),
);
app.get('/serialise', (_req, res) => send(res, 200, nestedDocument()));

app.get('/middleware-0', (_req, res) => send(res, 200, { passed: 0 }));
app.get('/middleware-20', ...longChain, (req, res) => send(res, 200, { passed: req.passed }));

app.get(
	'/logging',
	lazy(() => require('morgan')('combined', { stream: logSink })),
	(_req, res) => send(res, 200, { ok: true }),
);
app.get('/logged', (_req, res) => send(res, 200, { logged: hasLogged('/logging') }));

app.post('/validate-formats', parseJson, validate(bookingSchema), (_req, res) => send(res, 200, { valid: true }));

for (const size of WORK_SIZES) {
	app.get(`/cpu/${size}`, (_req, res) => send(res, 200, compute(size)));
	app.get(`/wait/${size}`, async (_req, res) => send(res, 200, await waitFor(size)));
}

/** A separate application with `count` routes. It is mounted, so its paths lack the first part. */
function makeRouter(count) {
	const router = polka(handlers);
	for (const { number, prefix } of routesOf(count)) {
		const path = prefix.replace(`/routes-${count}`, '');
		router.get(`${path}:id`, (req, res) => send(res, 200, routeAnswer(number, req.params.id)));
	}
	return router.handler;
}

for (const count of ROUTE_COUNTS) {
	const routes = lazy(() => makeRouter(count));
	app.use(`/routes-${count}`, (req, res) => routes(req, res));
}

app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1');

process.once('SIGTERM', () => {
	app.server.close(() => process.exit(0));
	app.server.closeAllConnections();
});

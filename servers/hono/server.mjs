import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { bearerAuth } from 'hono/bearer-auth';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { logger } from 'hono/logger';
import { requestId } from 'hono/request-id';
import { timeout } from 'hono/timeout';
import { validator } from 'hono/validator';
import { rateLimiter } from 'hono-rate-limiter';
import { ajvCompiler } from '../shared/ajv.mjs';
import {
	benchSession,
	bookingSchema,
	cachedUser,
	countRequest,
	createdUser,
	logLine,
	nameSchema,
	nestedDocument,
	profileSchema,
	RATE_LIMIT,
	readClaims,
	STACK_TIMEOUT_MS,
	TOKEN,
	userSchema,
} from '../shared/fixtures.mjs';
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

const require = createRequire(import.meta.url);

const compile = ajvCompiler(require);

/** Answers 422 unless the body follows `schema`, which is compiled at the first request that needs it. */
function validate(schema) {
	let isValid;
	return validator('json', (value) => {
		isValid ??= compile(schema);
		if (!isValid(value)) throw new HTTPException(422);
		return value;
	});
}

const parseJson = validator('json', (value) => value);
const authenticate = bearerAuth({ token: TOKEN });
const createUser = (c) => c.json(createdUser(c.req.valid('json')), 201);

const loadSession = createMiddleware(async (c, next) => {
	c.set('session', benchSession());
	await next();
});

const logRequest = createMiddleware(async (c, next) => {
	logLine(`${c.req.method} ${c.req.url} ${c.get('requestId')}`);
	await next();
});

const readJwt = createMiddleware(async (c, next) => {
	const claims = readClaims(c.req.header('authorization'));
	if (claims === undefined) throw new HTTPException(401);
	c.set('claims', claims);
	await next();
});

const clientOf = (c) => getConnInfo(c).remote.address ?? '';
const countClient = createMiddleware(async (c, next) => {
	if (countRequest(clientOf(c))) throw new HTTPException(429);
	await next();
});

const addPoweredBy = createMiddleware(async (c, next) => {
	await next();
	c.header('X-Powered-By-Bench', 'hono');
});

const requireJsonAccepted = createMiddleware(async (c, next) => {
	const supports = ['application/json', 'application/*', '*/*'];
	const accepted = accepts(c, { header: 'Accept', supports, default: c.req.header('accept') ? '' : '*/*' });
	if (!accepted) throw new HTTPException(406);
	await next();
});

const limitRate = rateLimiter({
	windowMs: RATE_LIMIT.windowMs,
	limit: RATE_LIMIT.requests,
	keyGenerator: clientOf,
	handler: () => {
		throw new HTTPException(429);
	},
});

const app = new Hono();

app.get('/ping', (c) => c.json({ ok: true }));
app.get('/json', (c) => c.json({ message: 'Hello, World!' }));
app.get('/json/nested', (c) => c.json(nestedDocument()));
app.get('/items/:id', (c) => c.json({ id: c.req.param('id') }));
app.get('/users/:id', (c) => c.json({ id: c.req.param('id'), query: c.req.query() }));
app.get('/auth/users/:id', authenticate, (c) => c.json({ id: c.req.param('id') }));

app.post('/users', parseJson, createUser);
app.post('/schema', validate(nameSchema), (c) => c.json({ echo: c.req.valid('json').name }));
app.post('/validate', validate(profileSchema), (c) => c.json({ valid: true }));
app.post('/auth/users', authenticate, validate(userSchema), createUser);

app.get('/middleware', loadSession, (c) => c.json({ ok: true }));
app.get('/middleware-5', requestId(), logRequest, readJwt, countClient, addPoweredBy, (c) =>
	c.json({ message: 'Hello, World!' }),
);

app.get('/cached/users/:id', etag(), (c) => c.json(cachedUser(c.req.param('id'))));

app.post(
	'/stack/auth/users',
	timeout(STACK_TIMEOUT_MS),
	cors({ origin: '*', allowMethods: ['POST'], allowHeaders: ['Authorization', 'Content-Type'] }),
	compress({ threshold: 0 }),
	requireJsonAccepted,
	authenticate,
	validate(userSchema),
	createUser,
);

app.post('/rate-limited/users', limitRate, authenticate, validate(userSchema), createUser);

const markFirst = createMiddleware(async (c, next) => {
	c.set('first', true);
	await next();
});

const markSecond = createMiddleware(async (c, next) => {
	c.set('second', true);
	await next();
});

const timeResponse = createMiddleware(async (c, next) => {
	const startedAt = performance.now();
	await next();
	c.header('X-Response-Time', responseTime(startedAt));
});

const readCredentials = createMiddleware(async (c, next) => {
	c.set('credentials', c.req.header('authorization'));
	await next();
});

const touchSession = createMiddleware(async (c, next) => {
	c.set('session', renewSession(c.get('session')));
	await next();
});

const allow = createMiddleware(async (c, next) => {
	if (!isAllowed(c.get('session'))) throw new HTTPException(403);
	await next();
});

app.get('/', (c) => c.text(GREETING));
app.get('/favicon.ico', (c) => c.body(null, 204));
app.get('/user/:id', markFirst, markSecond, (c) => c.text(describeUser(c.req.param('id'))));

app.get('/middleware-chain', timeResponse, requestId({ headerName: 'X-Bench-Request-Id' }), readCredentials, (c) =>
	c.json({ message: 'Middleware chain complete', authenticated: true }),
);
app.get('/chain', (c) => {
	const startedAt = performance.now();
	const id = randomUUID();
	c.header('X-Bench-Request-Id', id);
	c.set('credentials', c.req.header('authorization'));
	c.header('X-Response-Time', responseTime(startedAt));
	return c.json({ message: 'Chain complete', requestId: id, authenticated: true });
});
app.post('/full', loadSession, touchSession, allow, validate(nameSchema), (c) =>
	c.json({ echo: c.req.valid('json').name }),
);
app.get('/serialise', (c) => c.json(nestedDocument()));

const longChain = Array.from({ length: LONG_CHAIN }, () =>
	createMiddleware(async (c, next) => {
		c.set('passed', (c.get('passed') ?? 0) + 1);
		await next();
	}),
);
app.get('/middleware-0', (c) => c.json({ passed: 0 }));
app.get('/middleware-20', ...longChain, (c) => c.json({ passed: c.get('passed') }));

app.get('/logging', logger(logSink.write), (c) => c.json({ ok: true }));
app.get('/logged', (c) => c.json({ logged: hasLogged('/logging') }));

app.post('/validate-formats', validate(bookingSchema), (c) => c.json({ valid: true }));

for (const size of WORK_SIZES) {
	app.get(`/cpu/${size}`, (c) => c.json(compute(size)));
	app.get(`/wait/${size}`, async (c) => c.json(await waitFor(size)));
}

const notFound = (c) => c.json({ error: STATUS_CODES[404] }, 404);

/** Passes a request to a separate app with `count` routes, created at its first request. */
function manyRoutes(count) {
	let many;
	return (c) => {
		many ??= makeRoutes(count);
		return many.fetch(c.req.raw, c.env);
	};
}

function makeRoutes(count) {
	const many = new Hono();
	for (const { number, prefix } of routesOf(count)) {
		many.get(`${prefix}:id`, (c) => c.json(routeAnswer(number, c.req.param('id'))));
	}
	return many.notFound(notFound);
}

// Not in the app itself: its router compiles all routes into one pattern, which would then change for every scenario.
for (const count of ROUTE_COUNTS) app.get(`/routes-${count}/:resource/:id`, manyRoutes(count));

function onError(error, c) {
	const status = error instanceof HTTPException ? error.status : 500;
	if (status >= 500) console.error(error);
	return c.json({ error: STATUS_CODES[status] }, status);
}

let browser;
app.all('/browser/*', async (c) => {
	browser ??= import('./browser.mjs').then(({ makeBrowser }) => makeBrowser({ onError, notFound }));
	return (await browser).fetch(c.req.raw, c.env);
});

app.notFound(notFound);
app.onError(onError);

const server = serve({
	fetch: app.fetch,
	port: Number(process.env.PORT ?? 3000),
	hostname: process.env.HOST ?? '127.0.0.1',
});

/** Entry for requests without a socket. */
export const inProcess = { fetch: app.fetch };

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

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
import { requestId } from 'hono/request-id';
import { timeout } from 'hono/timeout';
import { validator } from 'hono/validator';
import { rateLimiter } from 'hono-rate-limiter';
import {
	benchSession,
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

const require = createRequire(import.meta.url);

const ajv = () => {
	const Ajv = require('ajv').default;
	return require('ajv-formats')(new Ajv());
};

/** Answers 422 unless the body follows `schema`, which is compiled at the first request that needs it. */
function validate(schema) {
	let isValid;
	return validator('json', (value) => {
		isValid ??= ajv().compile(schema);
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

app.notFound((c) => c.json({ error: STATUS_CODES[404] }, 404));
app.onError((error, c) => {
	const status = error instanceof HTTPException ? error.status : 500;
	if (status >= 500) console.error(error);
	return c.json({ error: STATUS_CODES[status] }, status);
});

const server = serve({
	fetch: app.fetch,
	port: Number(process.env.PORT ?? 3000),
	hostname: process.env.HOST ?? '127.0.0.1',
});

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

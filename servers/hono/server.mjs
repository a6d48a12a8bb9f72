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

const require = createRequire(import.meta.url);
const TOKEN = 'YmVuY2gtc2VjcmV0LXRva2Vu';

const filled = { type: 'string', minLength: 1 };
const userSchema = { type: 'object', required: ['name', 'email'], properties: { name: filled, email: filled } };
const nameSchema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

const closed = (properties) => ({
	type: 'object',
	additionalProperties: false,
	required: Object.keys(properties),
	properties,
});
const profileSchema = closed({
	username: { type: 'string', minLength: 3, maxLength: 32 },
	email: { type: 'string', format: 'email' },
	age: { type: 'integer', minimum: 18, maximum: 120 },
	score: { type: 'number', minimum: 0, maximum: 100 },
	role: { enum: ['user', 'admin', 'editor'] },
	status: { enum: ['active', 'inactive', 'pending'] },
	active: { type: 'boolean' },
	tags: { type: 'array', maxItems: 10, items: { type: 'string' } },
	address: closed({
		street: { type: 'string' },
		city: { type: 'string' },
		zip: { type: 'string', pattern: '^[0-9]{5}$' },
		country: { enum: ['CN', 'US', 'DE'] },
	}),
	preferences: closed({
		theme: { enum: ['light', 'dark'] },
		notifications: { type: 'boolean' },
		pageSize: { type: 'integer', minimum: 1, maximum: 100 },
	}),
});

const nestedDocument = () => ({
	id: 1,
	name: 'John Doe',
	email: 'john@example.com',
	createdAt: '2026-01-15T08:00:00.000Z',
	profile: {
		avatar: 'https://example.com/avatar.png',
		bio: 'Software Engineer',
		location: 'Shanghai, China',
	},
	roles: ['user', 'admin'],
	metadata: { loginCount: 42, lastLogin: '2026-01-14T20:30:00.000Z' },
});
const cachedUser = (id) => ({ id, name: 'Cached User', email: 'cached@example.com' });

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
const createUser = (c) => c.json({ id: 'u_bench', ...c.req.valid('json') }, 201);

const loadSession = createMiddleware(async (c, next) => {
	c.set('session', { userId: 'bench-user' });
	await next();
});

const log = new Array(1000);
let logged = 0;
const logRequest = createMiddleware(async (c, next) => {
	log[logged++ % log.length] = `${c.req.method} ${c.req.url} ${c.get('requestId')}`;
	await next();
});

/** Reads the claims without checking the signature: the work is what is measured. */
const readJwt = createMiddleware(async (c, next) => {
	const [scheme, token = ''] = (c.req.header('authorization') ?? '').split(' ');
	const parts = token.split('.');
	if (scheme !== 'Bearer' || parts.length !== 3) throw new HTTPException(401);
	try {
		c.set('claims', JSON.parse(Buffer.from(parts[1], 'base64url').toString()));
	} catch {
		throw new HTTPException(401);
	}
	await next();
});

const CLIENT_LIMIT = 1e9;
const requestsOf = new Map();
const clientOf = (c) => getConnInfo(c).remote.address ?? '';
const countClient = createMiddleware(async (c, next) => {
	const client = clientOf(c);
	const count = (requestsOf.get(client) ?? 0) + 1;
	requestsOf.set(client, count);
	if (count > CLIENT_LIMIT) throw new HTTPException(429);
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
	windowMs: 10_000,
	limit: 50,
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
	timeout(30_000),
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

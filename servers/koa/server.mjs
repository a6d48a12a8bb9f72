import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';

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

/** Middleware made at its first request: a process that never serves its route does not pay for loading it. */
function lazy(make) {
	let middleware;
	return (ctx, next) => {
		middleware ??= make();
		return middleware(ctx, next);
	};
}

const ajv = () => {
	const Ajv = require('ajv').default;
	return require('ajv-formats')(new Ajv());
};

/** Answers 422 unless the body follows `schema`. */
const validate = (schema) =>
	lazy(() => {
		const isValid = ajv().compile(schema);
		return (ctx, next) => (isValid(ctx.request.body) ? next() : ctx.throw(422));
	});

function authenticate(ctx, next) {
	const [scheme, token] = ctx.get('authorization').split(' ');
	return scheme === 'Bearer' && token === TOKEN ? next() : ctx.throw(401);
}

function createUser(ctx) {
	ctx.status = 201;
	ctx.body = { id: 'u_bench', ...ctx.request.body };
}

async function answerErrors(ctx, next) {
	try {
		await next();
		if (ctx.status === 404) ctx.throw(404);
	} catch (error) {
		const status = error.status ?? 500;
		if (status >= 500) console.error(error);
		ctx.status = status;
		ctx.body = { error: STATUS_CODES[status] };
	}
}

function loadSession(ctx, next) {
	ctx.state.session = { userId: 'bench-user' };
	return next();
}

function addRequestId(ctx, next) {
	ctx.state.requestId = randomUUID();
	ctx.set('X-Request-Id', ctx.state.requestId);
	return next();
}

const log = new Array(1000);
let logged = 0;
function logRequest(ctx, next) {
	log[logged++ % log.length] = `${ctx.method} ${ctx.url} ${ctx.state.requestId}`;
	return next();
}

/** Reads the claims without checking the signature: the work is what is measured. */
function readJwt(ctx, next) {
	const [scheme, token = ''] = ctx.get('authorization').split(' ');
	const parts = token.split('.');
	if (scheme !== 'Bearer' || parts.length !== 3) ctx.throw(401);
	try {
		ctx.state.claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString());
	} catch {
		ctx.throw(401);
	}
	return next();
}

const CLIENT_LIMIT = 1e9;
const requestsOf = new Map();
function countClient(ctx, next) {
	const count = (requestsOf.get(ctx.ip) ?? 0) + 1;
	requestsOf.set(ctx.ip, count);
	return count > CLIENT_LIMIT ? ctx.throw(429) : next();
}

function addPoweredBy(ctx, next) {
	ctx.set('X-Powered-By-Bench', 'koa');
	return next();
}

async function limitTime(ctx, next) {
	const timer = setTimeout(() => ctx.res.destroy(), 30_000);
	try {
		await next();
	} finally {
		clearTimeout(timer);
	}
}

function requireJsonAccepted(ctx, next) {
	return ctx.accepts('json') ? next() : ctx.throw(406);
}

const parseJson = bodyParser({ enableTypes: ['json'] });
const limitRate = lazy(() =>
	require('koa-ratelimit')({
		driver: 'memory',
		db: new Map(),
		duration: 10_000,
		max: 50,
		errorMessage: { error: STATUS_CODES[429] },
	}),
);

const router = new Router();

router.get('/ping', (ctx) => {
	ctx.body = { ok: true };
});
router.get('/json', (ctx) => {
	ctx.body = { message: 'Hello, World!' };
});
router.get('/json/nested', (ctx) => {
	ctx.body = nestedDocument();
});
router.get('/items/:id', (ctx) => {
	ctx.body = { id: ctx.params.id };
});
router.get('/users/:id', (ctx) => {
	ctx.body = { id: ctx.params.id, query: ctx.query };
});
router.get('/auth/users/:id', authenticate, (ctx) => {
	ctx.body = { id: ctx.params.id };
});

router.post('/users', parseJson, createUser);
router.post('/schema', parseJson, validate(nameSchema), (ctx) => {
	ctx.body = { echo: ctx.request.body.name };
});
router.post('/validate', parseJson, validate(profileSchema), (ctx) => {
	ctx.body = { valid: true };
});
router.post('/auth/users', authenticate, parseJson, validate(userSchema), createUser);

router.get('/middleware', loadSession, (ctx) => {
	ctx.body = { ok: true };
});
router.get('/middleware-5', addRequestId, logRequest, readJwt, countClient, addPoweredBy, (ctx) => {
	ctx.body = { message: 'Hello, World!' };
});

router.get(
	'/cached/users/:id',
	lazy(() => require('koa-conditional-get')()),
	lazy(() => require('@koa/etag')()),
	(ctx) => {
		ctx.body = cachedUser(ctx.params.id);
	},
);

router.post(
	'/stack/auth/users',
	limitTime,
	lazy(() => require('@koa/cors')({ origin: '*', allowMethods: 'POST', allowHeaders: 'Authorization,Content-Type' })),
	lazy(() => require('koa-compress')({ threshold: 0 })),
	requireJsonAccepted,
	authenticate,
	parseJson,
	validate(userSchema),
	createUser,
);

router.post('/rate-limited/users', limitRate, authenticate, parseJson, validate(userSchema), createUser);

const app = new Koa();
app.use(answerErrors);
app.use(router.routes());

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1');

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

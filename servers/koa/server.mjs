import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import {
	benchSession,
	cachedUser,
	countRequest,
	createdUser,
	isAuthorized,
	logLine,
	nameSchema,
	nestedDocument,
	profileSchema,
	RATE_LIMIT,
	readClaims,
	STACK_TIMEOUT_MS,
	userSchema,
} from '../shared/fixtures.mjs';

const require = createRequire(import.meta.url);

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
	return isAuthorized(ctx.get('authorization')) ? next() : ctx.throw(401);
}

function createUser(ctx) {
	ctx.status = 201;
	ctx.body = createdUser(ctx.request.body);
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
	ctx.state.session = benchSession();
	return next();
}

function addRequestId(ctx, next) {
	ctx.state.requestId = randomUUID();
	ctx.set('X-Request-Id', ctx.state.requestId);
	return next();
}

function logRequest(ctx, next) {
	logLine(`${ctx.method} ${ctx.url} ${ctx.state.requestId}`);
	return next();
}

function readJwt(ctx, next) {
	ctx.state.claims = readClaims(ctx.get('authorization'));
	return ctx.state.claims === undefined ? ctx.throw(401) : next();
}

function countClient(ctx, next) {
	return countRequest(ctx.ip) ? ctx.throw(429) : next();
}

function addPoweredBy(ctx, next) {
	ctx.set('X-Powered-By-Bench', 'koa');
	return next();
}

async function limitTime(ctx, next) {
	const timer = setTimeout(() => ctx.res.destroy(), STACK_TIMEOUT_MS);
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
		duration: RATE_LIMIT.windowMs,
		max: RATE_LIMIT.requests,
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

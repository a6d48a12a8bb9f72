import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Koa from 'koa';
import { ajvCompiler } from '../shared/ajv.mjs';
import { askedRoutes } from '../shared/asked-routes.mjs';
import {
	benchSession,
	bookingSchema,
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

/** Creates middleware at its first request: a process that never serves its route does not pay for loading it. */
function lazy(make) {
	let middleware;
	return (ctx, next) => {
		middleware ??= make();
		return middleware(ctx, next);
	};
}

const compile = ajvCompiler(require);

/** Answers 422 unless the body follows `schema`. */
const validate = (schema) =>
	lazy(() => {
		const isValid = compile(schema);
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

const router = askedRoutes(new Router());

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

// A router tries all its routes for each request. These are in a second router, so that the others are found as fast as
// without them.
const second = askedRoutes(new Router());

function markFirst(ctx, next) {
	ctx.state.first = true;
	return next();
}

function markSecond(ctx, next) {
	ctx.state.second = true;
	return next();
}

async function timeResponse(ctx, next) {
	const startedAt = performance.now();
	await next();
	ctx.set('X-Response-Time', responseTime(startedAt));
}

function addBenchRequestId(ctx, next) {
	ctx.set('X-Bench-Request-Id', randomUUID());
	return next();
}

function readCredentials(ctx, next) {
	ctx.state.credentials = ctx.get('authorization');
	return next();
}

function touchSession(ctx, next) {
	ctx.state.session = renewSession(ctx.state.session);
	return next();
}

function allow(ctx, next) {
	return isAllowed(ctx.state.session) ? next() : ctx.throw(403);
}

second.get('/', (ctx) => {
	ctx.body = GREETING;
});
second.get('/favicon.ico', (ctx) => {
	ctx.status = 204;
});
second.get('/user/:id', markFirst, markSecond, (ctx) => {
	ctx.body = describeUser(ctx.params.id);
});

second.get('/middleware-chain', timeResponse, addBenchRequestId, readCredentials, (ctx) => {
	ctx.body = { message: 'Middleware chain complete', authenticated: true };
});
second.get('/chain', (ctx) => {
	const startedAt = performance.now();
	const requestId = randomUUID();
	ctx.set('X-Bench-Request-Id', requestId);
	ctx.state.credentials = ctx.get('authorization');
	ctx.set('X-Response-Time', responseTime(startedAt));
	ctx.body = { message: 'Chain complete', requestId, authenticated: true };
});
second.post('/full', loadSession, touchSession, allow, parseJson, validate(nameSchema), (ctx) => {
	ctx.body = { echo: ctx.request.body.name };
});
second.get('/serialise', (ctx) => {
	ctx.body = nestedDocument();
});

const longChain = Array.from({ length: LONG_CHAIN }, () => (ctx, next) => {
	ctx.state.passed = (ctx.state.passed ?? 0) + 1;
	return next();
});
second.get('/middleware-0', (ctx) => {
	ctx.body = { passed: 0 };
});
second.get('/middleware-20', ...longChain, (ctx) => {
	ctx.body = { passed: ctx.state.passed };
});

second.get(
	'/logging',
	lazy(() => require('koa-logger')({ transporter: logSink.write })),
	(ctx) => {
		ctx.body = { ok: true };
	},
);
second.get('/logged', (ctx) => {
	ctx.body = { logged: hasLogged('/logging') };
});

second.post('/validate-formats', parseJson, validate(bookingSchema), (ctx) => {
	ctx.body = { valid: true };
});

for (const size of WORK_SIZES) {
	second.get(`/cpu/${size}`, (ctx) => {
		ctx.body = compute(size);
	});
	second.get(`/wait/${size}`, async (ctx) => {
		ctx.body = await waitFor(size);
	});
}

/** A separate router with `count` routes, used only for their paths. */
function manyRoutes(count) {
	const routes = lazy(() => {
		const many = new Router();
		for (const { number, prefix } of routesOf(count)) {
			many.get(`${prefix}:id`, (ctx) => {
				ctx.body = routeAnswer(number, ctx.params.id);
			});
		}
		return many.routes();
	});
	return (ctx, next) => (ctx.path.startsWith(`/routes-${count}/`) ? routes(ctx, next) : next());
}

let browser;
/** Passes a request to a separate app, loaded at its first request. */
async function handOverToBrowser(ctx, next) {
	if (!ctx.path.startsWith('/browser/')) return next();
	browser ??= import('./browser.mjs').then(({ makeBrowser }) => makeBrowser(answerErrors));
	ctx.respond = false;
	// The other app answers 404 unless a route matches.
	(await browser)(ctx.req, ctx.res);
}

const app = new Koa();
app.use(handOverToBrowser);
app.use(answerErrors);
app.use(router.routes());
app.use(second.routes());
for (const count of ROUTE_COUNTS) app.use(manyRoutes(count));

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1');

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

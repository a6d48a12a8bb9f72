import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import accepts from '@fastify/accepts';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import etag from '@fastify/etag';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import fp from 'fastify-plugin';
import {
	benchSession,
	cachedUser,
	countRequest,
	createdUser,
	isAuthorized,
	logLine,
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
import { bookingSchema, nameSchema, profileSchema, userSchema, validation } from './validation.mjs';

const require = createRequire(import.meta.url);

const answers = (properties, status = 200) => ({
	[status]: { type: 'object', additionalProperties: true, properties },
});
const text = { type: 'string' };
const userAnswer = answers({ id: text, name: text, email: text, role: text }, 201);
const nestedAnswer = answers({
	id: { type: 'integer' },
	name: text,
	email: text,
	createdAt: text,
	profile: { type: 'object', properties: { avatar: text, bio: text, location: text } },
	roles: { type: 'array', items: text },
	metadata: { type: 'object', properties: { loginCount: { type: 'integer' }, lastLogin: text } },
});

/** The plugin without its declared range of Fastify versions: a side may have another major version. */
const anyMajor = (plugin) => fp(plugin, { name: plugin.name });

const httpError = (statusCode) => Object.assign(new Error(STATUS_CODES[statusCode]), { statusCode });

function answerNotFound(_request, reply) {
	reply.code(404).send({ error: STATUS_CODES[404] });
}

async function authenticate(request) {
	if (!isAuthorized(request.headers.authorization)) throw httpError(401);
}

async function createUser(request, reply) {
	reply.code(201);
	return createdUser(request.body);
}

const app = Fastify({ forceCloseConnections: true, ...validation.options });
validation.use(app);

function answerError(error, _request, reply) {
	const status = error.validation ? 422 : (error.statusCode ?? 500);
	if (status >= 500) console.error(error);
	reply.code(status).send({ error: STATUS_CODES[status] });
}

app.setErrorHandler(answerError);
app.setNotFoundHandler(answerNotFound);

app.get('/ping', { schema: { response: answers({ ok: { type: 'boolean' } }) } }, async () => ({ ok: true }));
app.get('/json', { schema: { response: answers({ message: text }) } }, async () => ({ message: 'Hello, World!' }));
app.get('/json/nested', { schema: { response: nestedAnswer } }, async () => nestedDocument());
app.get('/items/:id', { schema: { response: answers({ id: text }) } }, async (request) => ({ id: request.params.id }));
app.get('/users/:id', async (request) => ({ id: request.params.id, query: request.query }));
app.get(
	'/auth/users/:id',
	{ onRequest: authenticate, schema: { response: answers({ id: text }) } },
	async (request) => ({ id: request.params.id }),
);

app.post('/users', { schema: { response: userAnswer } }, createUser);
app.post('/schema', { schema: { body: nameSchema, response: answers({ echo: text }) } }, async (request) => ({
	echo: request.body.name,
}));
app.post(
	'/validate',
	{ schema: { body: profileSchema, response: answers({ valid: { type: 'boolean' } }) } },
	async () => ({ valid: true }),
);
app.post(
	'/validate-formats',
	{ schema: { body: bookingSchema, response: answers({ valid: { type: 'boolean' } }) } },
	async () => ({ valid: true }),
);
const pipeline = { onRequest: authenticate, schema: { body: userSchema, response: userAnswer } };
app.post('/auth/users', pipeline, createUser);

app.decorateRequest('session', null);
async function loadSession(request) {
	request.session = benchSession();
}
app.get(
	'/middleware',
	{ preHandler: loadSession, schema: { response: answers({ ok: { type: 'boolean' } }) } },
	async () => ({ ok: true }),
);

app.decorateRequest('requestId', '');
app.decorateRequest('claims', null);

async function addRequestId(request, reply) {
	request.requestId = randomUUID();
	reply.header('X-Request-Id', request.requestId);
}

async function logRequest(request) {
	logLine(`${request.method} ${request.url} ${request.requestId}`);
}

async function readJwt(request) {
	request.claims = readClaims(request.headers.authorization);
	if (request.claims === undefined) throw httpError(401);
}

async function countClient(request) {
	if (countRequest(request.ip)) throw httpError(429);
}

async function addPoweredBy(_request, reply) {
	reply.header('X-Powered-By-Bench', 'fastify');
}

app.get(
	'/middleware-5',
	{
		onRequest: [addRequestId, logRequest, readJwt, countClient, addPoweredBy],
		schema: { response: answers({ message: text }) },
	},
	async () => ({ message: 'Hello, World!' }),
);

app.register(async (cached) => {
	await cached.register(anyMajor(etag));
	cached.get('/cached/users/:id', async (request) => cachedUser(request.params.id));
});

async function requireJsonAccepted(request) {
	if (!request.accepts().type(['json'])) throw httpError(406);
}

app.register(
	async (stack) => {
		await stack.register(anyMajor(accepts));
		await stack.register(anyMajor(cors), {
			origin: '*',
			methods: ['POST'],
			allowedHeaders: ['Authorization', 'Content-Type'],
		});
		await stack.register(anyMajor(compress), { threshold: 0 });
		const onRequest = [requireJsonAccepted, authenticate];
		stack.post('/auth/users', { ...pipeline, onRequest, handlerTimeout: STACK_TIMEOUT_MS }, createUser);
	},
	{ prefix: '/stack' },
);

app.register(
	async (limited) => {
		await limited.register(anyMajor(rateLimit), { max: RATE_LIMIT.requests, timeWindow: RATE_LIMIT.windowMs });
		limited.post('/users', pipeline, createUser);
	},
	{ prefix: '/rate-limited' },
);

app.get('/', async (_request, reply) => {
	reply.type('text/plain');
	return GREETING;
});
app.get('/favicon.ico', async (_request, reply) => reply.code(204).send());

app.decorateRequest('first', false);
app.decorateRequest('second', false);

async function markFirst(request) {
	request.first = true;
}

async function markSecond(request) {
	request.second = true;
}

app.get('/user/:id', { onRequest: [markFirst, markSecond] }, async (request, reply) => {
	reply.type('text/plain');
	return describeUser(request.params.id);
});

app.decorateRequest('startedAt', 0);
app.decorateRequest('credentials', '');

async function startTimer(request) {
	request.startedAt = performance.now();
}

async function addResponseTime(request, reply) {
	reply.header('X-Response-Time', responseTime(request.startedAt));
}

async function addBenchRequestId(_request, reply) {
	reply.header('X-Bench-Request-Id', randomUUID());
}

async function readCredentials(request) {
	request.credentials = request.headers.authorization;
}

const bool = { type: 'boolean' };

app.get(
	'/middleware-chain',
	{
		onRequest: [startTimer, addBenchRequestId, readCredentials],
		onSend: addResponseTime,
		schema: { response: answers({ message: text, authenticated: bool }) },
	},
	async () => ({ message: 'Middleware chain complete', authenticated: true }),
);
app.get(
	'/chain',
	{ schema: { response: answers({ message: text, requestId: text, authenticated: bool }) } },
	async (request, reply) => {
		const startedAt = performance.now();
		const requestId = randomUUID();
		reply.header('X-Bench-Request-Id', requestId);
		request.credentials = request.headers.authorization;
		reply.header('X-Response-Time', responseTime(startedAt));
		return { message: 'Chain complete', requestId, authenticated: true };
	},
);

async function touchSession(request) {
	request.session = renewSession(request.session);
}

async function allow(request) {
	if (!isAllowed(request.session)) throw httpError(403);
}

app.post(
	'/full',
	{ onRequest: [loadSession, touchSession, allow], schema: { body: nameSchema, response: answers({ echo: text }) } },
	async (request) => ({ echo: request.body.name }),
);

// Without an answer schema, to show the gain of json-nested by one.
app.get('/serialise', async () => nestedDocument());

app.decorateRequest('passed', 0);
const longChain = Array.from({ length: LONG_CHAIN }, () => async (request) => {
	request.passed += 1;
});
const passed = { schema: { response: answers({ passed: { type: 'integer' } }) } };
app.get('/middleware-0', passed, async () => ({ passed: 0 }));
app.get('/middleware-20', { ...passed, onRequest: longChain }, async (request) => ({ passed: request.passed }));

let pinoLogger;
/** The logger of `logger: true`, for one route: the others are served without a log, as by default. */
function logToSink(_logger, bindings, options) {
	pinoLogger ??= require('pino')({ serializers: { req: describeRequest, res: describeReply } }, logSink);
	return pinoLogger.child(bindings, options);
}

function describeRequest({ method, url, host, ip, socket }) {
	return { method, url, host, remoteAddress: ip, remotePort: socket?.remotePort };
}

function describeReply({ statusCode }) {
	return { statusCode };
}

app.get(
	'/logging',
	{
		childLoggerFactory: logToSink,
		// Fastify logs the end of a route only with such a hook.
		onResponse: async () => {},
		schema: { response: answers({ ok: bool }) },
	},
	async () => ({ ok: true }),
);
app.get('/logged', { schema: { response: answers({ logged: bool }) } }, async () => ({
	logged: hasLogged('/logging'),
}));

for (const size of WORK_SIZES) {
	app.get(
		`/cpu/${size}`,
		{ schema: { response: answers({ units: { type: 'integer' }, result: { type: 'integer' } }) } },
		async () => compute(size),
	);
	app.get(`/wait/${size}`, { schema: { response: answers({ waited: { type: 'integer' } }) } }, () => waitFor(size));
}

/**
 * Passes a request to a separate app with `count` routes: each route adds 0.2 ms to a start, which other scenarios
 * should not pay.
 */
function manyRoutes(count) {
	let many;
	return async (request, reply) => {
		reply.hijack();
		many ??= makeRoutes(count);
		(await many).routing(request.raw, reply.raw);
	};
}

async function makeRoutes(count) {
	const many = Fastify();
	many.setNotFoundHandler(answerNotFound);
	for (const { number, prefix } of routesOf(count)) {
		many.get(`${prefix}:id`, async (request) => routeAnswer(number, request.params.id));
	}
	return many.ready();
}

for (const count of ROUTE_COUNTS) app.get(`/routes-${count}/:resource/:id`, manyRoutes(count));

let browser;
/** Passes a request, before its body is read, to an app whose plugins would slow every start down. */
async function handOverToBrowser(request, reply) {
	reply.hijack();
	browser ??= import('./browser.mjs').then(({ makeBrowser }) =>
		makeBrowser({ anyMajor, httpError, onError: answerError, onNotFound: answerNotFound }),
	);
	(await browser).routing(request.raw, reply.raw);
}

app.all('/browser/*', { onRequest: handOverToBrowser }, async () => {});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' });

/** Entry for requests without a socket. */
export const inProcess = { inject: (request) => app.inject(request) };

process.once('SIGTERM', async () => {
	await app.close();
	process.exit(0);
});

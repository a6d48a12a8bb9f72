import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
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
	nameSchema,
	nestedDocument,
	profileSchema,
	RATE_LIMIT,
	readClaims,
	STACK_TIMEOUT_MS,
	userSchema,
} from '../shared/fixtures.mjs';

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

/** The plugin without the range of Fastify versions it declares: either side may be another major of Fastify. */
const anyMajor = (plugin) => fp(plugin, { name: plugin.name });

const httpError = (statusCode) => Object.assign(new Error(STATUS_CODES[statusCode]), { statusCode });

async function authenticate(request) {
	if (!isAuthorized(request.headers.authorization)) throw httpError(401);
}

async function createUser(request, reply) {
	reply.code(201);
	return createdUser(request.body);
}

const app = Fastify({
	forceCloseConnections: true,
	// The other servers neither convert types nor drop keys.
	ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
});

app.setErrorHandler((error, _request, reply) => {
	const status = error.validation ? 422 : (error.statusCode ?? 500);
	if (status >= 500) console.error(error);
	reply.code(status).send({ error: STATUS_CODES[status] });
});
app.setNotFoundHandler((_request, reply) => {
	reply.code(404).send({ error: STATUS_CODES[404] });
});

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

await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' });

process.once('SIGTERM', async () => {
	await app.close();
	process.exit(0);
});

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import accepts from '@fastify/accepts';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import etag from '@fastify/etag';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import fp from 'fastify-plugin';

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
const answers = (properties, status = 200) => ({
	[status]: { type: 'object', additionalProperties: true, properties },
});
const text = { type: 'string' };
const userAnswer = answers({ id: text, name: text, email: text, role: text }, 201);

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
	const [scheme, token] = (request.headers.authorization ?? '').split(' ');
	if (scheme !== 'Bearer' || token !== TOKEN) throw httpError(401);
}

async function createUser(request, reply) {
	reply.code(201);
	return { id: 'u_bench', ...request.body };
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
	request.session = { userId: 'bench-user' };
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

const log = new Array(1000);
let logged = 0;
async function logRequest(request) {
	log[logged++ % log.length] = `${request.method} ${request.url} ${request.requestId}`;
}

/** Reads the claims without checking the signature: the work is what is measured. */
async function readJwt(request) {
	const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
	const parts = token.split('.');
	if (scheme !== 'Bearer' || parts.length !== 3) throw httpError(401);
	try {
		request.claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString());
	} catch {
		throw httpError(401);
	}
}

const CLIENT_LIMIT = 1e9;
const requestsOf = new Map();
async function countClient(request) {
	const count = (requestsOf.get(request.ip) ?? 0) + 1;
	requestsOf.set(request.ip, count);
	if (count > CLIENT_LIMIT) throw httpError(429);
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
		stack.post('/auth/users', { ...pipeline, onRequest, handlerTimeout: 30_000 }, createUser);
	},
	{ prefix: '/stack' },
);

app.register(
	async (limited) => {
		await limited.register(anyMajor(rateLimit), { max: 50, timeWindow: 10_000 });
		limited.post('/users', pipeline, createUser);
	},
	{ prefix: '/rate-limited' },
);

await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' });

process.once('SIGTERM', async () => {
	await app.close();
	process.exit(0);
});

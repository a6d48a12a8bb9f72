import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import express from 'express';

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
	return (req, res, next) => {
		middleware ??= make();
		return middleware(req, res, next);
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
		return (req, _res, next) => next(isValid(req.body) ? undefined : { status: 422 });
	});

function authenticate(req, _res, next) {
	const [scheme, token] = (req.get('authorization') ?? '').split(' ');
	next(scheme === 'Bearer' && token === TOKEN ? undefined : { status: 401 });
}

function createUser(req, res) {
	res.status(201).json({ id: 'u_bench', ...req.body });
}

const app = express();
const parseJson = express.json();

app.get('/ping', (_req, res) => res.json({ ok: true }));
app.get('/json', (_req, res) => res.json({ message: 'Hello, World!' }));
app.get('/json/nested', (_req, res) => res.json(nestedDocument()));
app.get('/items/:id', (req, res) => res.json({ id: req.params.id }));
app.get('/users/:id', (req, res) => res.json({ id: req.params.id, query: req.query }));
app.get('/auth/users/:id', authenticate, (req, res) => res.json({ id: req.params.id }));

app.post('/users', parseJson, createUser);
app.post('/schema', parseJson, validate(nameSchema), (req, res) => res.json({ echo: req.body.name }));
app.post('/validate', parseJson, validate(profileSchema), (_req, res) => res.json({ valid: true }));
app.post('/auth/users', authenticate, parseJson, validate(userSchema), createUser);

app.get('/middleware', loadSession, (_req, res) => res.json({ ok: true }));
app.get('/middleware-5', addRequestId, logRequest, readJwt, countClient, addPoweredBy, (_req, res) =>
	res.json({ message: 'Hello, World!' }),
);

app.get('/cached/users/:id', (req, res) => res.json(cachedUser(req.params.id)));

app.post(
	'/stack/auth/users',
	lazy(() => require('connect-timeout')('30s')),
	lazy(() => require('cors')({ origin: '*', methods: 'POST', allowedHeaders: ['Authorization', 'Content-Type'] })),
	lazy(() => require('compression')({ threshold: 0 })),
	requireJsonAccepted,
	authenticate,
	parseJson,
	validate(userSchema),
	createUser,
);

app.post('/rate-limited/users', lazy(limitRate), authenticate, parseJson, validate(userSchema), createUser);

app.use((_req, _res, next) => next({ status: 404 }));
app.use((error, _req, res, next) => {
	if (res.headersSent) return next(error);
	const status = error.status ?? 500;
	if (status >= 500) console.error(error);
	res.status(status).json({ error: STATUS_CODES[status] });
});

function loadSession(req, _res, next) {
	req.session = { userId: 'bench-user' };
	next();
}

function addRequestId(req, res, next) {
	req.id = randomUUID();
	res.set('X-Request-Id', req.id);
	next();
}

const log = new Array(1000);
let logged = 0;
function logRequest(req, _res, next) {
	log[logged++ % log.length] = `${req.method} ${req.originalUrl} ${req.id}`;
	next();
}

/** Reads the claims without checking the signature: the work is what is measured. */
function readJwt(req, _res, next) {
	const [scheme, token = ''] = (req.get('authorization') ?? '').split(' ');
	const parts = token.split('.');
	if (scheme !== 'Bearer' || parts.length !== 3) return next({ status: 401 });
	try {
		req.claims = JSON.parse(Buffer.from(parts[1], 'base64url').toString());
	} catch {
		return next({ status: 401 });
	}
	next();
}

const CLIENT_LIMIT = 1e9;
const requestsOf = new Map();
function countClient(req, _res, next) {
	const count = (requestsOf.get(req.ip) ?? 0) + 1;
	requestsOf.set(req.ip, count);
	next(count > CLIENT_LIMIT ? { status: 429 } : undefined);
}

function addPoweredBy(_req, res, next) {
	res.set('X-Powered-By-Bench', 'express');
	next();
}

function requireJsonAccepted(req, _res, next) {
	next(req.accepts('json') ? undefined : { status: 406 });
}

function limitRate() {
	return require('express-rate-limit').rateLimit({
		windowMs: 10_000,
		limit: 50,
		standardHeaders: 'draft-8',
		legacyHeaders: false,
		handler: (_req, _res, next) => next({ status: 429 }),
		// It is made while a request is handled, once, because it is lazy.
		validate: { creationStack: false },
	});
}

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', (error) => {
	if (error) throw error;
});

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

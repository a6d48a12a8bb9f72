import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as ergo from '@centralping/ergo';
import createRouter from '@centralping/ergo-router';
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
import { wireWorkload } from './workload-routes.mjs';

const { version } = JSON.parse(
	readFileSync(new URL('./node_modules/@centralping/ergo-router/package.json', import.meta.url), 'utf8'),
);
const isFirst = version.startsWith('0.1.');

/** A step that stores its value at `path`: a pair in 0.1, later an object. */
const keep = (fn, path) => (isFirst ? [fn, path] : { fn, setPath: path });

const authorization = {
	strategies: [
		{
			type: 'bearer',
			attributes: { realm: 'bench' },
			authorizer: async (_attributes, token) =>
				token === TOKEN
					? { authorized: true, info: { user: 'bench' } }
					: { authorized: false, info: { type: 'invalid_token', desc: 'Invalid token' } },
		},
	],
};
/** The key of a route was `auth` in 0.1. */
const authorized = isFirst ? { auth: authorization } : { authorization };

const answer = (body, statusCode = 200) => ({ response: { statusCode, body } });
const refuse = (statusCode) => ({ response: { statusCode } });
const createUser = (_req, _res, { body }) => answer(createdUser(body.parsed), 201);

/** ergo splits values at commas; the others do not, and all servers must give the same answer. */
const joined = ({ fields, ...query }) =>
	Array.isArray(fields) ? { ...query, fields: fields.join(',') } : { ...query, fields };

const router = createRouter();

router.get('/ping', { execute: () => answer({ ok: true }) });
router.get('/json', { execute: () => answer({ message: 'Hello, World!' }) });
router.get('/json/nested', { execute: () => answer(nestedDocument()) });
router.get('/items/:id', { execute: (_req, _res, { route }) => answer({ id: route.params.id }) });
router.get('/users/:id', {
	execute: (_req, _res, { route, url }) => answer({ id: route.params.id, query: joined(url.query) }),
});
router.get('/auth/users/:id', {
	...authorized,
	execute: (_req, _res, { route }) => answer({ id: route.params.id }),
});
router.get('/cached/users/:id', { execute: (_req, _res, { route }) => answer(cachedUser(route.params.id)) });

router.post('/users', { execute: createUser });
router.post('/schema', {
	validate: { body: nameSchema },
	execute: (_req, _res, { body }) => answer({ echo: body.parsed.name }),
});
router.post('/validate', { validate: { body: profileSchema }, execute: () => answer({ valid: true }) });
const pipeline = { ...authorized, validate: { body: userSchema } };
router.post('/auth/users', { ...pipeline, execute: createUser });

router.post('/rate-limited/users', {
	...pipeline,
	rateLimit: { max: RATE_LIMIT.requests, windowMs: RATE_LIMIT.windowMs },
	execute: createUser,
});

// No version reads CORS from the config of one route, so its step runs as part of the handler.
const allowOrigin = ergo.cors({
	origins: '*',
	allowMethods: ['POST'],
	allowHeaders: ['Authorization', 'Content-Type'],
});
router.post('/stack/auth/users', {
	...pipeline,
	accepts: { types: ['application/json'] },
	timeout: { ms: STACK_TIMEOUT_MS },
	compress: { threshold: 0 },
	execute: (req, res, accumulated) => {
		const { response } = createUser(req, res, accumulated);
		return { response: { ...response, ...allowOrigin(req)?.response } };
	},
});

const loadSession = () => ({ value: { session: benchSession() } });
router.get('/middleware', [loadSession, () => answer({ ok: true })]);

router.get('/middleware-5', [
	function addRequestId(_req, res) {
		const requestId = randomUUID();
		res.setHeader('X-Request-Id', requestId);
		return { value: { requestId } };
	},
	function logRequest(req, _res, { requestId }) {
		logLine(`${req.method} ${req.url} ${requestId}`);
	},
	function readJwt(req) {
		const claims = readClaims(req.headers.authorization);
		return claims === undefined ? refuse(401) : { value: { claims } };
	},
	function countClient(req) {
		if (countRequest(req.socket.remoteAddress)) return refuse(429);
	},
	function addPoweredBy(_req, res) {
		res.setHeader('X-Powered-By-Bench', 'ergo');
	},
	() => answer({ message: 'Hello, World!' }),
]);

wireWorkload(router, {
	answer,
	refuse,
	loadSession,
	parse: keep(ergo.body(), 'body'),
	validate: ergo.validate({ body: nameSchema }),
	createRouter,
});

const server = router.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1');

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

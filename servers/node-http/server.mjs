import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ajvCompiler } from '../shared/ajv.mjs';
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
	readClaims,
	STACK_TIMEOUT_MS,
	userSchema,
} from '../shared/fixtures.mjs';
import { checksWith, HttpError, limitRate } from '../shared/without-framework.mjs';
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
const compressGzip = promisify(gzip);
const BODY_LIMIT = 1024 * 1024;

/** Sends `document` as JSON. */
function answer(res, status, document) {
	const body = JSON.stringify(document);
	res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
	res.end(body);
}

function answerText(res, text) {
	res.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': Buffer.byteLength(text) });
	res.end(text);
}

function authenticate(req) {
	if (!isAuthorized(req.headers.authorization)) throw new HttpError(401);
}

async function readBody(req) {
	const chunks = [];
	let bytes = 0;
	for await (const chunk of req) {
		bytes += chunk.length;
		if (bytes > BODY_LIMIT) throw new HttpError(413);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}

async function readJson(req) {
	const body = await readBody(req);
	try {
		return JSON.parse(body);
	} catch {
		throw new HttpError(400);
	}
}

/** Makes a check that throws 422 unless a document follows a schema. */
const validator = checksWith(ajvCompiler(require));
const checkUser = validator(userSchema);
const checkName = validator(nameSchema);
const checkProfile = validator(profileSchema);
const checkBooking = validator(bookingSchema);

async function createUser(req, res) {
	answer(res, 201, createdUser(await readJson(req)));
}

async function createCheckedUser(req, res) {
	authenticate(req);
	const user = await readJson(req);
	checkUser(user);
	answer(res, 201, createdUser(user));
}

async function echoName(req, res) {
	const document = await readJson(req);
	checkName(document);
	answer(res, 200, { echo: document.name });
}

async function validateProfile(req, res) {
	checkProfile(await readJson(req));
	answer(res, 200, { valid: true });
}

async function validateBooking(req, res) {
	checkBooking(await readJson(req));
	answer(res, 200, { valid: true });
}

function answerSession(req, res) {
	req.session = benchSession();
	answer(res, 200, { ok: true });
}

function answerLayers(req, res) {
	const requestId = randomUUID();
	res.setHeader('X-Request-Id', requestId);
	logLine(`${req.method} ${req.url} ${requestId}`);
	req.claims = readClaims(req.headers.authorization);
	if (req.claims === undefined) throw new HttpError(401);
	if (countRequest(req.socket.remoteAddress)) throw new HttpError(429);
	res.setHeader('X-Powered-By-Bench', 'node-http');
	answer(res, 200, { message: 'Hello, World!' });
}

function answerCached(req, res, { id }) {
	const body = JSON.stringify(cachedUser(id));
	const tag = require('etag')(body);
	res.setHeader('ETag', tag);
	if (require('fresh')(req.headers, { etag: tag })) return res.writeHead(304).end();
	res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
}

async function createStackUser(req, res) {
	const timer = setTimeout(() => res.destroy(), STACK_TIMEOUT_MS);
	res.once('close', () => clearTimeout(timer));
	res.setHeader('Access-Control-Allow-Origin', '*');
	const accepted = require('accepts')(req);
	if (!accepted.type(['json'])) throw new HttpError(406);
	authenticate(req);
	const user = await readJson(req);
	checkUser(user);
	const body = JSON.stringify(createdUser(user));
	res.setHeader('Content-Type', 'application/json');
	res.setHeader('Vary', 'Accept-Encoding');
	if (accepted.encoding(['gzip']) !== 'gzip') return res.writeHead(201).end(body);
	const compressed = await compressGzip(body);
	res.writeHead(201, { 'Content-Encoding': 'gzip', 'Content-Length': compressed.length }).end(compressed);
}

function createLimitedUser(req, res) {
	limitRate(req.socket.remoteAddress);
	return createCheckedUser(req, res);
}

function answerUser(req, res, { id }) {
	req.first = true;
	req.second = true;
	answerText(res, describeUser(id));
}

function answerChain(req, res, describe) {
	const startedAt = performance.now();
	const requestId = randomUUID();
	res.setHeader('X-Bench-Request-Id', requestId);
	req.credentials = req.headers.authorization;
	res.setHeader('X-Response-Time', responseTime(startedAt));
	answer(res, 200, describe(requestId));
}

async function echoNameInSession(req, res) {
	req.session = benchSession();
	req.session = renewSession(req.session);
	if (!isAllowed(req.session)) throw new HttpError(403);
	await echoName(req, res);
}

const longChain = Array.from({ length: LONG_CHAIN }, () => (req) => {
	req.passed += 1;
});

function answerLongChain(req, res) {
	req.passed = 0;
	for (const layer of longChain) layer(req);
	answer(res, 200, { passed: req.passed });
}

function answerLogged(req, res) {
	const startedAt = performance.now();
	const client = req.socket.remoteAddress;
	res.once('finish', () => {
		const { method, url } = req;
		logSink.write(
			`${client} ${new Date().toISOString()} ${method} ${url} ${res.statusCode} ${responseTime(startedAt)}`,
		);
	});
	answer(res, 200, { ok: true });
}

const routers = new Map();

/**
 * The handler of one of many routes, by the path before its parameter. Each table of routes is created at its first
 * request.
 */
function findRoute(path) {
	const prefix = path.slice(0, path.lastIndexOf('/') + 1);
	const count = ROUTE_COUNTS.find((each) => prefix.startsWith(`/routes-${each}/`));
	if (count === undefined) return undefined;
	if (!routers.has(count)) {
		const routes = routesOf(count).map(({ number, prefix: start }) => {
			const handler = (_req, res, { id }) => answer(res, 200, routeAnswer(number, id));
			return [start, handler];
		});
		routers.set(count, new Map(routes));
	}
	return routers.get(count).get(prefix);
}

const workRoutes = Object.fromEntries(
	WORK_SIZES.flatMap((size) => [
		[`GET /cpu/${size}`, (_req, res) => answer(res, 200, compute(size))],
		[`GET /wait/${size}`, async (_req, res) => answer(res, 200, await waitFor(size))],
	]),
);

const fixedRoutes = {
	'GET /ping': (_req, res) => answer(res, 200, { ok: true }),
	'GET /json': (_req, res) => answer(res, 200, { message: 'Hello, World!' }),
	'GET /json/nested': (_req, res) => answer(res, 200, nestedDocument()),
	'POST /users': createUser,
	'POST /schema': echoName,
	'POST /validate': validateProfile,
	'POST /validate-formats': validateBooking,
	'POST /auth/users': createCheckedUser,
	'GET /middleware': answerSession,
	'GET /middleware-5': answerLayers,
	'POST /stack/auth/users': createStackUser,
	'POST /rate-limited/users': createLimitedUser,
	'GET /': (_req, res) => answerText(res, GREETING),
	'GET /favicon.ico': (_req, res) => res.writeHead(204).end(),
	'GET /middleware-chain': (req, res) =>
		answerChain(req, res, () => ({ message: 'Middleware chain complete', authenticated: true })),
	'GET /chain': (req, res) =>
		answerChain(req, res, (requestId) => ({ message: 'Chain complete', requestId, authenticated: true })),
	'POST /full': echoNameInSession,
	'GET /serialise': (_req, res) => answer(res, 200, nestedDocument()),
	'GET /middleware-0': (_req, res) => answer(res, 200, { passed: 0 }),
	'GET /middleware-20': answerLongChain,
	'GET /logging': answerLogged,
	'GET /logged': (_req, res) => answer(res, 200, { logged: hasLogged('/logging') }),
	...workRoutes,
};

const answerId = (_req, res, { id }) => answer(res, 200, { id });
const idRoutes = [
	['GET /items/', answerId],
	['GET /users/', (_req, res, { id, query }) => answer(res, 200, { id, query: Object.fromEntries(query) })],
	[
		'GET /auth/users/',
		(req, res, params) => {
			authenticate(req);
			answerId(req, res, params);
		},
	],
	['GET /cached/users/', answerCached],
	['GET /user/', answerUser],
];

let browser;

async function routeToBrowser(req, res, path, search) {
	browser ??= import('./browser.mjs').then(({ makeBrowser }) => makeBrowser({ answer, readBody }));
	const routes = await browser;
	const target = `${req.method} ${path}`;
	const prefix = target.slice(0, target.lastIndexOf('/') + 1);
	const handler = Object.hasOwn(routes, target) ? routes[target] : Object.hasOwn(routes, prefix) && routes[prefix];
	if (!handler) throw new HttpError(404);
	return handler(req, res, { id: decodeURIComponent(target.slice(prefix.length)), search });
}

function route(req, res) {
	const [path, search = ''] = req.url.split('?');
	if (path.startsWith('/browser/')) return routeToBrowser(req, res, path, search);
	const target = `${req.method} ${path}`;
	const fixed = Object.hasOwn(fixedRoutes, target) && fixedRoutes[target];
	if (fixed) return fixed(req, res);
	for (const [prefix, handler] of idRoutes) {
		const id = target.slice(prefix.length);
		if (target.startsWith(prefix) && id && !id.includes('/')) {
			return handler(req, res, { id: decodeURIComponent(id), query: new URLSearchParams(search) });
		}
	}
	const handler = req.method === 'GET' && findRoute(path);
	if (!handler) throw new HttpError(404);
	return handler(req, res, { id: decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)) });
}

const server = createServer(async (req, res) => {
	try {
		await route(req, res);
	} catch (error) {
		const status = error.status ?? 500;
		if (status >= 500) console.error(error);
		if (res.headersSent) return res.destroy();
		for (const [name, value] of Object.entries(error.headers ?? {})) res.setHeader(name, value);
		answer(res, status, { error: STATUS_CODES[status] });
	}
});

server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1');

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import uWS from 'uwebsockets';
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
import { listen } from '../shared/listen-uws.mjs';
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

/** Sends a body of any kind. Writes after the handler's return must be corked. */
function send(res, status, headers, body) {
	if (res.aborted) return;
	res.cork(() => {
		res.writeStatus(`${status} ${STATUS_CODES[status]}`);
		for (const [name, value] of Object.entries(headers)) res.writeHeader(name, String(value));
		if (body === undefined) res.endWithoutBody();
		else res.end(body);
	});
}

/** Sends `document` as JSON. */
function answer(res, status, document, headers = {}) {
	send(res, status, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(document));
}

function answerError(res, error) {
	const { status = 500, headers } = error;
	if (status >= 500) console.error(error);
	answer(res, status, { error: STATUS_CODES[status] }, headers);
}

/** The text of a header; the request is invalid once its handler has returned. */
const headerOf = (req, name) => req.getHeader(name) || undefined;

const addressOf = (res) => Buffer.from(res.getRemoteAddressAsText()).toString();

function authenticate(req) {
	if (!isAuthorized(req.getHeader('authorization'))) throw new HttpError(401);
}

function readJson(res) {
	return new Promise((resolve, reject) => {
		const chunks = [];
		let bytes = 0;
		res.onData((chunk, isLast) => {
			bytes += chunk.byteLength;
			if (bytes > BODY_LIMIT) return reject(new HttpError(413));
			// uWebSockets.js reuses the buffer.
			chunks.push(Buffer.from(chunk.slice(0)));
			if (!isLast) return;
			try {
				resolve(JSON.parse(Buffer.concat(chunks).toString()));
			} catch {
				reject(new HttpError(400));
			}
		});
	});
}

/** Makes a check that throws 422 unless a document follows a schema. */
const validator = checksWith(ajvCompiler(require));
const checkUser = validator(userSchema);
const checkName = validator(nameSchema);
const checkProfile = validator(profileSchema);
const checkBooking = validator(bookingSchema);

async function createUser(res) {
	answer(res, 201, createdUser(await readJson(res)));
}

async function createCheckedUser(res, req) {
	authenticate(req);
	const user = await readJson(res);
	checkUser(user);
	answer(res, 201, createdUser(user));
}

async function echoName(res) {
	const document = await readJson(res);
	checkName(document);
	answer(res, 200, { echo: document.name });
}

async function validateProfile(res) {
	checkProfile(await readJson(res));
	answer(res, 200, { valid: true });
}

async function validateBooking(res) {
	checkBooking(await readJson(res));
	answer(res, 200, { valid: true });
}

function answerLayers(res, req) {
	const requestId = randomUUID();
	logLine(`${req.getMethod()} ${req.getUrl()} ${requestId}`);
	const claims = readClaims(req.getHeader('authorization'));
	if (claims === undefined) throw new HttpError(401);
	if (countRequest(addressOf(res))) throw new HttpError(429);
	const headers = { 'X-Request-Id': requestId, 'X-Powered-By-Bench': 'uws' };
	answer(res, 200, { message: 'Hello, World!' }, headers);
}

function answerCached(res, req) {
	const body = JSON.stringify(cachedUser(req.getParameter(0)));
	const tag = require('etag')(body);
	const conditions = { 'if-none-match': headerOf(req, 'if-none-match') };
	if (require('fresh')(conditions, { etag: tag })) return send(res, 304, { ETag: tag });
	send(res, 200, { ETag: tag, 'Content-Type': 'application/json' }, body);
}

async function createStackUser(res, req) {
	const timer = setTimeout(() => res.aborted || res.close(), STACK_TIMEOUT_MS);
	try {
		const preferences = { accept: headerOf(req, 'accept'), 'accept-encoding': headerOf(req, 'accept-encoding') };
		const accepted = require('accepts')({ headers: preferences });
		if (!accepted.type(['json'])) throw new HttpError(406);
		authenticate(req);
		const user = await readJson(res);
		checkUser(user);
		const headers = { 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*', Vary: 'Accept-Encoding' };
		const body = JSON.stringify(createdUser(user));
		if (accepted.encoding(['gzip']) !== 'gzip') return send(res, 201, headers, body);
		send(res, 201, { ...headers, 'Content-Encoding': 'gzip' }, await compressGzip(body));
	} finally {
		clearTimeout(timer);
	}
}

function createLimitedUser(res, req) {
	limitRate(addressOf(res));
	return createCheckedUser(res, req);
}

function answerUser(res, req) {
	for (const mark of ['first', 'second']) res[mark] = true;
	send(res, 200, { 'Content-Type': 'text/plain' }, describeUser(req.getParameter(0)));
}

/** The three layers of the chain; `document` makes the answer from the request's id. */
function answerChain(res, req, document) {
	const startedAt = performance.now();
	const requestId = randomUUID();
	res.credentials = req.getHeader('authorization');
	const body = document(requestId);
	answer(res, 200, body, { 'X-Bench-Request-Id': requestId, 'X-Response-Time': responseTime(startedAt) });
}

async function echoNameInSession(res) {
	res.session = renewSession(benchSession());
	if (!isAllowed(res.session)) throw new HttpError(403);
	await echoName(res);
}

const longChain = Array.from({ length: LONG_CHAIN }, () => (res) => {
	res.passed = (res.passed ?? 0) + 1;
});

function answerLongChain(res) {
	for (const layer of longChain) layer(res);
	answer(res, 200, { passed: res.passed });
}

function answerLogged(res, req) {
	const startedAt = performance.now();
	const line = [addressOf(res), new Date().toISOString(), req.getMethod(), req.getUrl(), 200];
	answer(res, 200, { ok: true });
	logSink.write(`${line.join(' ')} ${responseTime(startedAt)}`);
}

const app = uWS.App();

/** Registers a handler that may throw, and may answer later. */
function route(method, path, handler) {
	app[method](path, async (res, req) => {
		res.onAborted(() => {
			res.aborted = true;
		});
		try {
			await handler(res, req);
		} catch (error) {
			answerError(res, error);
		}
	});
}

route('get', '/ping', (res) => answer(res, 200, { ok: true }));
route('get', '/json', (res) => answer(res, 200, { message: 'Hello, World!' }));
route('get', '/json/nested', (res) => answer(res, 200, nestedDocument()));
route('get', '/items/:id', (res, req) => answer(res, 200, { id: req.getParameter(0) }));
route('get', '/users/:id', (res, req) => {
	const query = Object.fromEntries(new URLSearchParams(req.getQuery()));
	answer(res, 200, { id: req.getParameter(0), query });
});
route('get', '/auth/users/:id', (res, req) => {
	authenticate(req);
	answer(res, 200, { id: req.getParameter(0) });
});
route('post', '/users', createUser);
route('post', '/schema', echoName);
route('post', '/validate', validateProfile);
route('post', '/validate-formats', validateBooking);
route('post', '/auth/users', createCheckedUser);
route('get', '/middleware', (res) => {
	res.session = benchSession();
	answer(res, 200, { ok: true });
});
route('get', '/middleware-5', answerLayers);
route('get', '/cached/users/:id', answerCached);
route('post', '/stack/auth/users', createStackUser);
route('post', '/rate-limited/users', createLimitedUser);

route('get', '/', (res) => send(res, 200, { 'Content-Type': 'text/plain' }, GREETING));
route('get', '/favicon.ico', (res) => send(res, 204, {}));
route('get', '/user/:id', answerUser);
route('get', '/middleware-chain', (res, req) =>
	answerChain(res, req, () => ({ message: 'Middleware chain complete', authenticated: true })),
);
route('get', '/chain', (res, req) =>
	answerChain(res, req, (requestId) => ({ message: 'Chain complete', requestId, authenticated: true })),
);
route('post', '/full', echoNameInSession);
route('get', '/serialise', (res) => answer(res, 200, nestedDocument()));
route('get', '/middleware-0', (res) => answer(res, 200, { passed: 0 }));
route('get', '/middleware-20', answerLongChain);
route('get', '/logging', answerLogged);
route('get', '/logged', (res) => answer(res, 200, { logged: hasLogged('/logging') }));
for (const size of WORK_SIZES) {
	route('get', `/cpu/${size}`, (res) => answer(res, 200, compute(size)));
	route('get', `/wait/${size}`, async (res) => answer(res, 200, await waitFor(size)));
}
for (const { number, prefix } of ROUTE_COUNTS.flatMap(routesOf)) {
	route('get', `${prefix}:id`, (res, req) => answer(res, 200, routeAnswer(number, req.getParameter(0))));
}
app.any('/*', (res) => answerError(res, { status: 404 }));

listen(uWS, app);

import { STATUS_CODES } from 'node:http';
import { createRequire } from 'node:module';
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

function authenticate(request) {
	if (!isAuthorized(request.headers.get('authorization') ?? '')) throw new HttpError(401);
}

async function readJson(request) {
	try {
		return await request.json();
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

const addressOf = (request, server) => server.requestIP(request)?.address ?? '';

async function createCheckedUser(request) {
	authenticate(request);
	const user = await readJson(request);
	checkUser(user);
	return createdUser(user);
}

async function echoName(request) {
	const document = await readJson(request);
	checkName(document);
	return Response.json({ echo: document.name });
}

async function validateProfile(request) {
	checkProfile(await readJson(request));
	return Response.json({ valid: true });
}

async function validateBooking(request) {
	checkBooking(await readJson(request));
	return Response.json({ valid: true });
}

function answerLayers(request, server) {
	const requestId = crypto.randomUUID();
	logLine(`${request.method} ${request.url} ${requestId}`);
	request.claims = readClaims(request.headers.get('authorization') ?? '');
	if (request.claims === undefined) throw new HttpError(401);
	if (countRequest(addressOf(request, server))) throw new HttpError(429);
	const headers = { 'X-Request-Id': requestId, 'X-Powered-By-Bench': 'bun' };
	return Response.json({ message: 'Hello, World!' }, { headers });
}

function answerCached({ headers, params }) {
	const body = JSON.stringify(cachedUser(params.id));
	const tag = require('etag')(body);
	const conditions = { 'if-none-match': headers.get('if-none-match') ?? undefined };
	if (require('fresh')(conditions, { etag: tag })) return new Response(null, { status: 304, headers: { ETag: tag } });
	return new Response(body, { headers: { ETag: tag, 'Content-Type': 'application/json' } });
}

async function createStackUser(request, server) {
	server.timeout(request, STACK_TIMEOUT_MS / 1000);
	const preferences = { accept: request.headers.get('accept') ?? undefined };
	preferences['accept-encoding'] = request.headers.get('accept-encoding') ?? undefined;
	const accepted = require('accepts')({ headers: preferences });
	if (!accepted.type(['json'])) throw new HttpError(406);
	const user = await createCheckedUser(request);
	const headers = { 'Access-Control-Allow-Origin': '*', Vary: 'Accept-Encoding', 'Content-Type': 'application/json' };
	const body = JSON.stringify(user);
	if (accepted.encoding(['gzip']) !== 'gzip') return new Response(body, { status: 201, headers });
	return new Response(Bun.gzipSync(body), { status: 201, headers: { ...headers, 'Content-Encoding': 'gzip' } });
}

async function createLimitedUser(request, server) {
	limitRate(addressOf(request, server));
	return Response.json(await createCheckedUser(request), { status: 201 });
}

/** The three layers of the chain; `document` makes the answer from the request's id. */
function answerChain(request, document) {
	const startedAt = performance.now();
	const requestId = crypto.randomUUID();
	request.token = request.headers.get('authorization');
	const answer = document(requestId);
	const headers = { 'X-Bench-Request-Id': requestId, 'X-Response-Time': responseTime(startedAt) };
	return Response.json(answer, { headers });
}

function answerUser(request) {
	for (const mark of ['first', 'second']) request[mark] = true;
	return new Response(describeUser(request.params.id));
}

async function echoNameInSession(request) {
	request.session = renewSession(benchSession());
	if (!isAllowed(request.session)) throw new HttpError(403);
	return echoName(request);
}

const longChain = Array.from({ length: LONG_CHAIN }, () => (request) => {
	request.passed = (request.passed ?? 0) + 1;
});

function answerLongChain(request) {
	for (const layer of longChain) layer(request);
	return Response.json({ passed: request.passed });
}

function answerLogged(request, server) {
	const startedAt = performance.now();
	const response = Response.json({ ok: true });
	const { method, url } = request;
	const line = [addressOf(request, server), new Date().toISOString(), method, url, response.status];
	logSink.write(`${line.join(' ')} ${responseTime(startedAt)}`);
	return response;
}

const workRoutes = Object.fromEntries(
	WORK_SIZES.flatMap((size) => [
		[`/cpu/${size}`, { GET: () => Response.json(compute(size)) }],
		[`/wait/${size}`, { GET: async () => Response.json(await waitFor(size)) }],
	]),
);
const manyRoutes = Object.fromEntries(
	ROUTE_COUNTS.flatMap(routesOf).map(({ number, prefix }) => [
		`${prefix}:id`,
		{ GET: ({ params }) => Response.json(routeAnswer(number, params.id)) },
	]),
);

const answerId = ({ params }) => Response.json({ id: params.id });

const server = Bun.serve({
	port: Number(process.env.PORT ?? 3000),
	hostname: process.env.HOST ?? '127.0.0.1',
	routes: {
		'/ping': { GET: () => Response.json({ ok: true }) },
		'/json': { GET: () => Response.json({ message: 'Hello, World!' }) },
		'/json/nested': { GET: () => Response.json(nestedDocument()) },
		'/items/:id': { GET: answerId },
		'/users/:id': {
			GET: ({ params, url }) => Response.json({ id: params.id, query: Object.fromEntries(new URL(url).searchParams) }),
		},
		'/auth/users/:id': {
			GET: (request) => {
				authenticate(request);
				return answerId(request);
			},
		},
		'/users': { POST: async (request) => Response.json(createdUser(await readJson(request)), { status: 201 }) },
		'/schema': { POST: echoName },
		'/validate': { POST: validateProfile },
		'/validate-formats': { POST: validateBooking },
		'/auth/users': { POST: async (request) => Response.json(await createCheckedUser(request), { status: 201 }) },
		'/middleware': {
			GET: (request) => {
				request.session = benchSession();
				return Response.json({ ok: true });
			},
		},
		'/middleware-5': { GET: answerLayers },
		'/cached/users/:id': { GET: answerCached },
		'/stack/auth/users': { POST: createStackUser },
		'/rate-limited/users': { POST: createLimitedUser },
		'/': { GET: () => new Response(GREETING) },
		'/favicon.ico': { GET: () => new Response(null, { status: 204 }) },
		'/user/:id': { GET: answerUser },
		'/middleware-chain': {
			GET: (request) => answerChain(request, () => ({ message: 'Middleware chain complete', authenticated: true })),
		},
		'/chain': {
			GET: (request) =>
				answerChain(request, (requestId) => ({ message: 'Chain complete', requestId, authenticated: true })),
		},
		'/full': { POST: echoNameInSession },
		'/serialise': { GET: () => Response.json(nestedDocument()) },
		'/middleware-0': { GET: () => Response.json({ passed: 0 }) },
		'/middleware-20': { GET: answerLongChain },
		'/logging': { GET: answerLogged },
		'/logged': { GET: () => Response.json({ logged: hasLogged('/logging') }) },
		...workRoutes,
		...manyRoutes,
	},
	fetch: () => answerError({ status: 404 }),
	error: answerError,
});

function answerError(error) {
	const status = error.status ?? 500;
	if (status >= 500) console.error(error);
	return Response.json({ error: STATUS_CODES[status] }, { status, headers: error.headers });
}

process.once('SIGTERM', async () => {
	await server.stop(true);
	process.exit(0);
});

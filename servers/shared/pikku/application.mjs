/**
 * The common application of all Pikku servers: functions, middlewares and permissions, wired to routes. A server is a
 * bridge from its HTTP host to it, or runs one of Pikku's adapters, and provides the packages of its own folder.
 */
import { randomUUID } from 'node:crypto';
import {
	benchSession,
	countRequest,
	createdUser,
	isAuthorized,
	logLine,
	nameSchema,
	nestedDocument,
	profileSchema,
	readClaims,
	userSchema,
} from '../fixtures.mjs';
import { AjvSchemas } from './ajv-schemas.mjs';
import { makeRequests } from './requests.mjs';
import { HostResponse } from './response.mjs';
import { wireWorkload } from './workload-routes.mjs';

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/**
 * Returns the entries for a bridge: `answer` for web requests, `answerHost` for the host's requests. `load` imports a
 * package from the bridge's folder.
 */
export async function createApplication(load) {
	const { http, errors } = await wireApplication(load);
	const { WebRequest, HostRequest } = makeRequests({ http, errors });
	return {
		async answer(request) {
			const response = new http.PikkuFetchHTTPResponse();
			await http.fetchData(new WebRequest(request), response);
			return response.toResponse();
		},
		async answerHost(request) {
			const response = new HostResponse();
			await http.fetchData(new HostRequest(request), response);
			return response;
		},
	};
}

/**
 * Wires the application for one of Pikku's adapters, and returns the adapter's logger. `load` imports a package from
 * the server's folder.
 */
export async function wireForAdapter(load) {
	const { errors, InvalidDocument } = await wireApplication(load);
	// The adapters answer 422 for invalid JSON, too. Here that is 400, as on the other servers.
	errors.addError(errors.UnprocessableContentError, { status: 400, message: 'Bad Request' });
	errors.addError(InvalidDocument, { status: 422, message: 'Unprocessable Content' });
	return silent;
}

/** Wires the application, and returns the parts of Pikku that answer. */
async function wireApplication(load) {
	const [http, errors, schema, state, { Ajv }, { default: addFormats }] = await Promise.all([
		load('@pikku/core/http'),
		load('@pikku/core/errors'),
		load('@pikku/core/schema'),
		// Generated parts are here in later versions.
		load('@pikku/core/state').catch(() => load('@pikku/core/ecosystem')),
		load('ajv'),
		load('ajv-formats'),
	]);
	class InvalidDocument extends errors.UnprocessableContentError {}
	const schemas = new AjvSchemas(addFormats(new Ajv()), InvalidDocument);
	state.setSingletonServices({ logger: silent, schema: schemas });
	const wire = wiring({ http, schema, state });
	wireRoutes(wire, errors);
	wireWorkload(wire);
	return { http, errors, InvalidDocument };
}

/** Returns the wiring of a route, which Pikku's tool usually generates from the types of a program. */
function wiring({ http, schema: { addSchema }, state: { pikkuState } }) {
	const routes = Object.fromEntries(METHODS.map((method) => [method, {}]));
	const functions = {};
	pikkuState(null, 'http', 'meta', routes);
	pikkuState(null, 'function', 'meta', functions);
	return (method, route, func, { schema, ...config } = {}) => {
		const id = `${method} ${route}`;
		if (schema !== undefined) addSchema(id, schema);
		routes[method][route] = { pikkuFuncId: id, route, method };
		// Without `sessionless` every request without a session is refused, despite `auth`.
		functions[id] = {
			pikkuFuncId: id,
			sessionless: true,
			inputSchemaName: schema === undefined ? null : id,
			outputSchemaName: null,
		};
		http.wireHTTP({ method, route, func: { func, ...config }, auth: false });
	};
}

function wireRoutes(wire, { UnauthorizedError, TooManyRequestsError }) {
	const authenticate = async (_services, { http }, next) => {
		if (!isAuthorized(http.request.header('authorization') ?? '')) throw new UnauthorizedError();
		await next();
	};
	const loadSession = async (_services, { setSession }, next) => {
		setSession(benchSession());
		await next();
	};
	const createUser = async (_services, user, { http }) => {
		http.response.status(201);
		return createdUser(user);
	};

	wire('get', '/ping', async () => ({ ok: true }));
	wire('get', '/json', async () => ({ message: 'Hello, World!' }));
	wire('get', '/json/nested', async () => nestedDocument());
	wire('get', '/items/:id', async (_services, { id }) => ({ id }));
	wire('get', '/users/:id', async (_services, { id, ...query }) => ({ id, query }));
	wire('get', '/auth/users/:id', async (_services, { id }) => ({ id }), { middleware: [authenticate] });
	wire('post', '/users', createUser);
	wire('post', '/schema', async (_services, { name }) => ({ echo: name }), { schema: nameSchema });
	wire('post', '/validate', async () => ({ valid: true }), { schema: profileSchema });
	wire('get', '/middleware', async () => ({ ok: true }), { middleware: [loadSession] });
	wire('post', '/auth/users', createUser, { middleware: [authenticate], schema: userSchema });

	const addRequestId = async (_services, { http, setSession }, next) => {
		const requestId = randomUUID();
		http.response.header('X-Request-Id', requestId);
		setSession({ requestId });
		await next();
	};
	const logRequest = async (_services, { http, getSession }, next) => {
		logLine(`${http.request.method()} ${http.request.path()} ${getSession().requestId}`);
		await next();
	};
	const readJwt = async (_services, { http, getSession, setSession }, next) => {
		const claims = readClaims(http.request.header('authorization') ?? '');
		if (claims === undefined) throw new UnauthorizedError();
		setSession({ ...getSession(), claims });
		await next();
	};
	// Pikku does not know addresses: the token identifies the client.
	const countClient = async (_services, { getSession }, next) => {
		if (countRequest(getSession().claims.sub)) throw new TooManyRequestsError();
		await next();
	};
	const addPoweredBy = async (_services, { http }, next) => {
		http.response.header('X-Powered-By-Bench', 'pikku');
		await next();
	};
	wire('get', '/middleware-5', async () => ({ message: 'Hello, World!' }), {
		middleware: [addRequestId, logRequest, readJwt, countClient, addPoweredBy],
	});
}

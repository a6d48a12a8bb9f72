import { randomUUID } from 'node:crypto';
import { benchSession, nameSchema, nestedDocument } from '../fixtures.mjs';
import {
	compute,
	describeUser,
	GREETING,
	isAllowed,
	LONG_CHAIN,
	renewSession,
	responseTime,
	WORK_SIZES,
	waitFor,
} from '../workload.mjs';

const text = (body) => new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8' } });

/** Wires texts, sessions, chains of middlewares and work. */
export function wireWorkload(wire) {
	const marks = ['first', 'second'].map((mark) => async (_services, { getSession, setSession }, next) => {
		setSession({ ...getSession(), [mark]: true });
		await next();
	});
	wire('get', '/', async () => text(GREETING));
	wire('get', '/favicon.ico', async () => undefined);
	wire('get', '/user/:id', async (_services, { id }) => text(describeUser(id)), { middleware: marks });
	wire('get', '/serialise', async () => nestedDocument());

	const addResponseTime = async (_services, { http }, next) => {
		const startedAt = performance.now();
		await next();
		http.response.header('X-Response-Time', responseTime(startedAt));
	};
	const addBenchRequestId = async (_services, { http }, next) => {
		http.response.header('X-Bench-Request-Id', randomUUID());
		await next();
	};
	const readCredentials = async (_services, { http, setSession }, next) => {
		setSession({ credentials: http.request.header('authorization') });
		await next();
	};
	wire('get', '/middleware-chain', async () => ({ message: 'Middleware chain complete', authenticated: true }), {
		middleware: [addResponseTime, addBenchRequestId, readCredentials],
	});
	wire('get', '/chain', async (_services, _data, { http, setSession }) => {
		const startedAt = performance.now();
		const requestId = randomUUID();
		http.response.header('X-Bench-Request-Id', requestId);
		setSession({ credentials: http.request.header('authorization') });
		http.response.header('X-Response-Time', responseTime(startedAt));
		return { message: 'Chain complete', requestId, authenticated: true };
	});

	// Pikku runs a middleware once, even if it is listed twice, so these are two.
	const loadSession = async (_services, { setSession }, next) => {
		setSession(benchSession());
		await next();
	};
	const touchSession = async (_services, { getSession, setSession }, next) => {
		setSession(renewSession(getSession()));
		await next();
	};
	wire('post', '/full', async (_services, { name }) => ({ echo: name }), {
		middleware: [loadSession, touchSession],
		permissions: { canUse: async (_services, _data, { getSession }) => isAllowed(getSession()) },
		schema: nameSchema,
	});

	const chain = Array.from({ length: LONG_CHAIN }, () => async (_services, { getSession, setSession }, next) => {
		setSession({ passed: (getSession()?.passed ?? 0) + 1 });
		await next();
	});
	wire('get', '/middleware-0', async () => ({ passed: 0 }));
	wire('get', '/middleware-20', async (_services, _data, { session }) => ({ passed: session.passed }), {
		middleware: chain,
	});

	for (const size of WORK_SIZES) {
		wire('get', `/cpu/${size}`, async () => compute(size));
		wire('get', `/wait/${size}`, () => waitFor(size));
	}
}

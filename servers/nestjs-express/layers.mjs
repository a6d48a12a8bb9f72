/** Guards, interceptors and middleware. */
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { HttpException } from '@nestjs/common';
import { tap } from 'rxjs';
import { lazy } from '../shared/connect.mjs';
import {
	benchSession,
	countRequest,
	isAuthorized,
	logLine,
	RATE_LIMIT,
	readClaims,
	STACK_TIMEOUT_MS,
} from '../shared/fixtures.mjs';
import { isAllowed, LONG_CHAIN, logSink, renewSession, responseTime } from '../shared/workload.mjs';
import { NAME } from './platform.mjs';

const require = createRequire(import.meta.url);

/** A guard made of a function of request and response, which throws to refuse. */
const guard = (act) => ({
	canActivate(context) {
		const http = context.switchToHttp();
		act(http.getRequest(), http.getResponse());
		return true;
	},
});

export const authenticated = guard((request) => {
	if (!isAuthorized(request.headers.authorization)) throw new HttpException('', 401);
});

export const withSession = guard((request) => {
	request.session = benchSession();
});
export const withRenewedSession = guard((request) => {
	request.session = renewSession(request.session);
});
export const allowed = guard((request) => {
	if (!isAllowed(request.session)) throw new HttpException('', 403);
});

export const fiveLayers = [
	guard((request, response) => {
		request.requestId = randomUUID();
		response.header('X-Request-Id', request.requestId);
	}),
	guard((request) => logLine(`${request.method} ${request.originalUrl} ${request.requestId}`)),
	guard((request) => {
		request.claims = readClaims(request.headers.authorization);
		if (request.claims === undefined) throw new HttpException('', 401);
	}),
	guard((request) => {
		if (countRequest(request.ip)) throw new HttpException('', 429);
	}),
	guard((_request, response) => response.header('X-Powered-By-Bench', NAME)),
];

export const marks = [
	guard((request) => {
		request.first = true;
	}),
	guard((request) => {
		request.second = true;
	}),
];

export const longChain = Array.from({ length: LONG_CHAIN }, () =>
	guard((request) => {
		request.passed = (request.passed ?? 0) + 1;
	}),
);

export const withRequestId = guard((_request, response) => response.header('X-Bench-Request-Id', randomUUID()));
export const withCredentials = guard((request) => {
	request.credentials = request.headers.authorization;
});
export const timed = {
	intercept(context, next) {
		const startedAt = performance.now();
		const response = context.switchToHttp().getResponse();
		return next.handle().pipe(tap(() => response.header('X-Response-Time', responseTime(startedAt))));
	},
};

// Middleware runs before bodies are parsed, guards run after.

export function authenticate(req, _res, next) {
	if (!isAuthorized(req.headers.authorization)) throw new HttpException('', 401);
	next();
}

function requireJsonAccepted(req, _res, next) {
	if (!require('accepts')(req).type(['json'])) throw new HttpException('', 406);
	next();
}

export const stack = [
	lazy(() => require('connect-timeout')(STACK_TIMEOUT_MS)),
	lazy(() => require('cors')({ origin: '*', methods: 'POST', allowedHeaders: ['Authorization', 'Content-Type'] })),
	lazy(() => require('compression')({ threshold: 0 })),
	requireJsonAccepted,
	authenticate,
];

export const limitRate = lazy(() =>
	require('express-rate-limit').rateLimit({
		windowMs: RATE_LIMIT.windowMs,
		limit: RATE_LIMIT.requests,
		// The newer drafts, and every check of the set-up, need Express's additions to answers.
		standardHeaders: 'draft-7',
		legacyHeaders: false,
		keyGenerator: (req) => req.socket.remoteAddress,
		handler: (_req, _res, next) => next(new HttpException('', 429)),
		validate: false,
	}),
);

export const logRequests = lazy(() => require('morgan')('combined', { stream: logSink }));

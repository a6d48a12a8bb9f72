import { randomUUID } from 'node:crypto';
import {
	benchSession,
	countRequest,
	isAuthorized,
	logLine,
	profileSchema,
	RATE_LIMIT,
	readClaims,
} from '../fixtures.mjs';
import { isAllowed, renewSession, responseTime } from '../workload.mjs';

/** Whether a value has only keys of a closed schema, at any depth; the validator checks everything else. */
const hasKnownKeys = ({ properties }, value) =>
	properties === undefined ||
	typeof value !== 'object' ||
	value === null ||
	Object.entries(value).every(([key, inner]) => Object.hasOwn(properties, key) && hasKnownKeys(properties[key], inner));

/** Returns the middlewares of all routes, as functions that create them. */
export function makeLayers({ HttpError, createBodyParserMiddleware, createRateLimitMiddleware }, parsesAll) {
	const before = (act) => () => async (req, res, next) => {
		act(req, res);
		await next();
	};
	return {
		authenticate: before((req) => {
			if (!isAuthorized(req.headers.authorization)) throw new HttpError(401, 'Unauthorized');
		}),
		// On routes that read a body, after the layers that may refuse the request; does nothing if every route parses.
		parse: () => (parsesAll ? (_req, _res, next) => next() : createBodyParserMiddleware({ maxBodySize: '1mb' })),
		// Vext's rules for a body cannot forbid unknown keys.
		refuseUnknownKeys: before((req) => {
			if (!hasKnownKeys(profileSchema, req.body)) throw new HttpError(422, 'Unknown key');
		}),
		limit: () =>
			createRateLimitMiddleware(
				{ enabled: true, max: RATE_LIMIT.requests, window: RATE_LIMIT.windowMs / 1000 },
				() => null,
			),
		loadSession: before((req) => {
			req.session = benchSession();
		}),
		touchSession: before((req) => {
			req.session = renewSession(req.session);
		}),
		allow: before((req) => {
			if (!isAllowed(req.session)) throw new HttpError(403, 'Forbidden');
		}),
		addRequestId: before((req, res) => {
			req.benchId = randomUUID();
			res.setHeader('X-Request-Id', req.benchId);
		}),
		logRequest: before((req) => logLine(`${req.method} ${req.url} ${req.benchId}`)),
		readJwt: before((req) => {
			req.claims = readClaims(req.headers.authorization);
			if (req.claims === undefined) throw new HttpError(401, 'Unauthorized');
		}),
		countClient: before((req) => {
			if (countRequest(req.ip)) throw new HttpError(429, 'Too Many Requests');
		}),
		addPoweredBy: before((_req, res) => res.setHeader('X-Powered-By-Bench', 'vext')),
		mark: (number) => async (req, _res, next) => {
			req[`mark${number}`] = true;
			await next();
		},
		// The handler sends the answer, with this header.
		addResponseTime: before((_req, res) => {
			const startedAt = performance.now();
			const json = res.json.bind(res);
			res.json = (...answer) => {
				res.setHeader('X-Response-Time', responseTime(startedAt));
				json(...answer);
			};
		}),
		addBenchRequestId: before((_req, res) => res.setHeader('X-Bench-Request-Id', randomUUID())),
		readCredentials: before((req) => {
			req.credentials = req.headers.authorization;
		}),
		pass: () => async (req, _res, next) => {
			req.passed = (req.passed ?? 0) + 1;
			await next();
		},
	};
}

import { adapter, caliber } from '../../../current.mjs';

/** Switched off as in the published benchmark: log, request ids, CORS, limiter and wrapped answers of every route. */
const CORE = {
	accessLog: { enabled: false },
	bodyParser: { enabled: false },
	cors: { enabled: false },
	rateLimit: { enabled: false },
	requestContext: { enabled: false },
	requestId: { enabled: false },
};

/**
 * Vext's defaults. Their limiter refuses more than 100 requests a minute from one address, and reads all earlier times
 * for each. All load comes from one address, so every 100 requests count as another client's.
 */
let requests = 0;
const DEFAULT = { rateLimit: { enabled: true, keyBy: () => `client ${Math.floor(requests++ / 100)}` } };

/**
 * Vext by default wraps answers and prints logs; not here, because all servers must give the same answers without
 * printing.
 */
export default {
	adapter,
	host: process.env.HOST ?? '127.0.0.1',
	port: Number(process.env.PORT ?? 3000),
	logger: { level: 'silent' },
	middlewares: [{ name: 'layer' }],
	response: { wrap: false },
	openapi: { enabled: false },
	...(caliber === 'default' ? DEFAULT : CORE),
};

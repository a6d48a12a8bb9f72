import { adapter, caliber } from '../../../current.mjs';

/** What the published benchmark switches off is off here: log, request ids, CORS, limiter and wrapped answers of every route. */
const CORE = {
	accessLog: { enabled: false },
	bodyParser: { enabled: false },
	cors: { enabled: false },
	rateLimit: { enabled: false },
	requestContext: { enabled: false },
	requestId: { enabled: false },
};

/**
 * By itself all of it is on. Its limiter refuses more than 100 requests a minute from one address, and for each reads the times of all
 * before it. All load comes from one address, so every 100 requests count as those of another client.
 */
let asked = 0;
const DEFAULT = { rateLimit: { enabled: true, keyBy: () => `client ${Math.floor(asked++ / 100)}` } };

/** Answers are wrapped and logs are printed by default: not here, because all servers answer the same and none prints. */
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

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

/** By itself all of it is on. Its limiter refuses more than 100 requests a minute, so only the limit is another one. */
const DEFAULT = { rateLimit: { enabled: true, max: 1e9, window: 60 } };

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

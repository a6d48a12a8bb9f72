import { adapter } from '../../../current.mjs';

/** What the published benchmark switches off is off here: log, request ids, CORS, limiter and wrapped answers of every route. */
export default {
	adapter,
	host: process.env.HOST ?? '127.0.0.1',
	port: Number(process.env.PORT ?? 3000),
	logger: { level: 'silent' },
	middlewares: [{ name: 'layer' }],
	accessLog: { enabled: false },
	bodyParser: { enabled: false },
	cors: { enabled: false },
	rateLimit: { enabled: false },
	requestContext: { enabled: false },
	requestId: { enabled: false },
	response: { wrap: false },
	openapi: { enabled: false },
};

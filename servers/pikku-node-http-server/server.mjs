import { PikkuNodeHTTPServer } from '@pikku/node-http-server';
import { wireForAdapter } from '../shared/pikku/application.mjs';

const logger = await wireForAdapter((name) => import(name));
const config = {
	port: Number(process.env.PORT ?? 3000),
	hostname: process.env.HOST ?? '127.0.0.1',
	// By default a connection ends after 1,000 requests, which would add the time of new connections.
	maxRequestsPerSocket: 0,
	shutdownGracePeriodMs: 0,
};
const server = new PikkuNodeHTTPServer(config, logger);

await server.init();
await server.start();
server.enableExitOnSignals();

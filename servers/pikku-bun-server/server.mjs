import { PikkuBunServer } from '@pikku/bun-server';
import { wireForAdapter } from '../shared/pikku/application.mjs';

const logger = await wireForAdapter((name) => import(name));
const server = new PikkuBunServer(
	{ port: Number(process.env.PORT ?? 3000), hostname: process.env.HOST ?? '127.0.0.1' },
	logger,
);

await server.init();
await server.start();

// Pikku's own stop waits for every connection.
process.once('SIGTERM', () => process.exit(0));

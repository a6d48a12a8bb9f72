import pikkuFastifyPlugin from '@pikku/fastify-plugin';
import Fastify from 'fastify';
import { wireForAdapter } from '../shared/pikku/application.mjs';

const logger = await wireForAdapter((name) => import(name));
const app = Fastify({ forceCloseConnections: true });

await app.register(pikkuFastifyPlugin, { pikku: { logger, loadSchemas: true } });
await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' });

process.once('SIGTERM', async () => {
	await app.close();
	process.exit(0);
});

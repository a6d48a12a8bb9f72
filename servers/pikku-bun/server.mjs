import { createApplication } from '../shared/pikku/application.mjs';

const application = await createApplication((name) => import(name));

const server = Bun.serve({
	port: Number(process.env.PORT ?? 3000),
	hostname: process.env.HOST ?? '127.0.0.1',
	fetch: (request) => application.answer(request),
});

process.once('SIGTERM', async () => {
	await server.stop(true);
	process.exit(0);
});

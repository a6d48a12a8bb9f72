import Fastify from 'fastify';
import { createApplication } from '../shared/pikku/application.mjs';

const application = await createApplication((name) => import(name));
const app = Fastify({ forceCloseConnections: true });

// Parsed only when a function needs it, so that unauthorised requests are refused first.
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));

app.all('/*', async (request, reply) => {
	const response = await application.answerHost({
		method: request.method,
		path: request.url.split('?', 1)[0],
		headers: request.headers,
		query: () => request.query,
		readBody: async () => JSON.parse(request.body ?? '{}'),
	});
	return reply.code(response.statusCode).headers(response.headers).send(response.body);
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? '127.0.0.1' });

process.once('SIGTERM', async () => {
	await app.close();
	process.exit(0);
});

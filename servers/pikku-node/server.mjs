import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { createApplication } from '../shared/pikku/application.mjs';

const application = await createApplication((name) => import(name));

/** Converts a request of node:http to a web request. */
function toRequest(req) {
	const hasBody = req.method !== 'GET' && req.method !== 'HEAD';
	return new Request(new URL(req.url, 'http://localhost'), {
		method: req.method,
		headers: Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
		...(hasBody && { body: Readable.toWeb(req), duplex: 'half' }),
	});
}

const server = createServer(async (req, res) => {
	const response = await application.answer(toRequest(req));
	res.writeHead(response.status, Object.fromEntries(response.headers));
	res.end(Buffer.from(await response.arrayBuffer()));
});

server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1');

/** Entry for requests without a socket. */
export const inProcess = { fetch: application.answer };

process.once('SIGTERM', () => {
	server.close(() => process.exit(0));
	server.closeAllConnections();
});

/**
 * Calls a server's program without a socket: `node ../shared/hosting/in-process.mjs server.mjs`. The program exports
 * `inProcess`, with `fetch` (web request to web response) or `inject` (as in light-my-request); otherwise the listener
 * of its HTTP server is called. Incoming requests are passed to it, for the usual checks of answers. `POST
 * /.in-process` repeats one request for a time or a number of calls, and answers with the counts.
 */
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { askListener, findServer } from './ask-listener.mjs';

const [program] = process.argv.slice(2);
const { HOST: host, PORT: port } = process.env;
// The program's own listener needs a port, too.
process.env.PORT = '0';
const search = findServer();
const { inProcess } = await import(pathToFileURL(resolve(program)));
const { make, answer } = await chooseWay();

async function chooseWay() {
	if (inProcess === undefined) return askListener(await search.server);
	return inProcess.fetch === undefined ? byInject() : byFetch();
}

function byFetch() {
	return {
		make: ({ method, path, headers, body }) => new Request(`http://127.0.0.1${path}`, { method, headers, body }),
		async answer(request) {
			const response = await inProcess.fetch(request);
			return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
		},
	};
}

function byInject() {
	return {
		make: ({ method, path, headers, body }) => ({ method, url: path, headers, payload: body }),
		async answer(request) {
			const response = await inProcess.inject(request);
			return { status: response.statusCode, headers: response.headers, body: response.payload };
		},
	};
}

/**
 * Makes one request after the other, and counts; latencies in microseconds, to two significant digits. With `seconds`
 * the creation of requests counts; with `calls` only the calls themselves do.
 */
async function load({ request, seconds, calls }) {
	const statuses = {};
	const latencies = new Map();
	let bytes = 0;
	let completed = 0;
	let spent = 0;
	let last = performance.now();
	while (calls === undefined ? spent < seconds * 1000 : completed < calls) {
		const made = make(request);
		const began = calls === undefined ? last : performance.now();
		const { status, body } = await answer(made);
		const now = performance.now();
		const latency = round((now - began) * 1000);
		latencies.set(latency, (latencies.get(latency) ?? 0) + 1);
		statuses[status] = (statuses[status] ?? 0) + 1;
		bytes += body.length;
		completed += 1;
		spent += now - began;
		last = now;
	}
	const latency = [...latencies].sort(([one], [other]) => one - other);
	return { seconds: spent / 1000, completed, bytes, statuses, latency };
}

function round(microseconds) {
	const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, microseconds))) - 1);
	return Math.round(microseconds / unit) * unit;
}

async function readText(req) {
	const chunks = [];
	for await (const chunk of req) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

const OWN = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive']);
const withoutOwn = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)));

search.stop();
const server = createServer(async (req, res) => {
	const { method, url: path } = req;
	const text = await readText(req);
	if (path === '/.in-process') {
		res.setHeader('content-type', 'application/json');
		res.end(JSON.stringify(await load(JSON.parse(text))));
		return;
	}
	const request = { method, path, headers: withoutOwn(req.headers), ...(text !== '' && { body: text }) };
	const answered = await answer(make(request));
	res.writeHead(answered.status, withoutOwn(answered.headers));
	res.end(answered.body);
});

server.listen(Number(port ?? 3000), host ?? '127.0.0.1');

process.once('SIGTERM', () => process.exit(0));

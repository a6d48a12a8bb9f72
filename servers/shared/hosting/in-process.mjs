/**
 * Asks a server's program without a socket: `node ../shared/hosting/in-process.mjs server.mjs`. The program exports `inProcess`, with
 * `fetch` (web request to web response) or `inject` (as light-my-request has it). Requests that come in are handed to it, so that they
 * can be checked as on any server. `POST /.in-process` runs a timed loop of one request and answers with what it counted.
 */
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [program] = process.argv.slice(2);
const { HOST: host, PORT: port } = process.env;
// The program listens, too, where nobody asks it.
process.env.PORT = '0';
const { inProcess } = await import(pathToFileURL(resolve(program)));
const ask = inProcess.fetch === undefined ? askInject : askFetch;

async function askFetch({ method, path, headers, body }) {
	const response = await inProcess.fetch(new Request(`http://127.0.0.1${path}`, { method, headers, body }));
	return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
}

async function askInject({ method, path, headers, body }) {
	const response = await inProcess.inject({ method, url: path, headers, payload: body });
	return { status: response.statusCode, headers: response.headers, body: response.payload };
}

/** Asks one request after the other for so long, and counts; latencies in microseconds, to two significant digits. */
async function load({ request, seconds }) {
	const statuses = {};
	const latencies = new Map();
	let bytes = 0;
	let completed = 0;
	const began = performance.now();
	const due = began + seconds * 1000;
	let last = began;
	while (last < due) {
		const answer = await ask(request);
		const now = performance.now();
		const latency = round((now - last) * 1000);
		latencies.set(latency, (latencies.get(latency) ?? 0) + 1);
		statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
		bytes += answer.body.length;
		completed += 1;
		last = now;
	}
	const latency = [...latencies].sort(([one], [other]) => one - other);
	return { seconds: (last - began) / 1000, completed, bytes, statuses, latency };
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

const server = createServer(async (req, res) => {
	const { method, url: path } = req;
	const text = await readText(req);
	if (path === '/.in-process') {
		res.setHeader('content-type', 'application/json');
		res.end(JSON.stringify(await load(JSON.parse(text))));
		return;
	}
	const answer = await ask({ method, path, headers: withoutOwn(req.headers), ...(text !== '' && { body: text }) });
	res.writeHead(answer.status, withoutOwn(answer.headers));
	res.end(answer.body);
});

server.listen(Number(port ?? 3000), host ?? '127.0.0.1');

process.once('SIGTERM', () => process.exit(0));

import { STATUS_CODES } from 'node:http';
import uWS from 'uwebsockets';
import { listen } from '../shared/listen-uws.mjs';
import { createApplication } from '../shared/pikku/application.mjs';

const application = await createApplication((name) => import(name));
const WITHOUT_BODY = ['get', 'head'];

/** Reads a body as text. Must be called before the handler returns. */
function readText(res) {
	return new Promise((resolve) => {
		const chunks = [];
		res.onData((chunk, isLast) => {
			// uWebSockets.js reuses the buffer.
			chunks.push(Buffer.from(chunk.slice(0)));
			if (isLast) resolve(Buffer.concat(chunks).toString());
		});
	});
}

/** Sends Pikku's answer. Writes after the handler's return must be corked. */
function send(res, { statusCode, headers, body }) {
	if (res.aborted) return;
	res.cork(() => {
		res.writeStatus(`${statusCode} ${STATUS_CODES[statusCode]}`);
		for (const [name, value] of Object.entries(headers)) res.writeHeader(name, String(value));
		if (body === undefined) res.endWithoutBody();
		else res.end(body);
	});
}

const app = uWS.App();

app.any('/*', async (res, req) => {
	res.onAborted(() => {
		res.aborted = true;
	});
	const headers = {};
	req.forEach((name, value) => {
		headers[name] = value;
	});
	const [method, path, query] = [req.getMethod(), req.getUrl(), req.getQuery()];
	const body = WITHOUT_BODY.includes(method) ? undefined : readText(res);
	const response = await application.answerHost({
		method,
		path,
		headers,
		query: () => Object.fromEntries(new URLSearchParams(query)),
		readBody: async () => JSON.parse((await body) || '{}'),
	});
	send(res, response);
});

listen(uWS, app);

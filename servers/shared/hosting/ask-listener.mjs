/**
 * Calls the listener of a program's HTTP server with Node's own request and response, without a socket, as
 * light-my-request does for Fastify.
 */
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

/** Finds the first HTTP server that listens from now on; `stop` ends the search. */
export function findServer() {
	const { listen } = Server.prototype;
	const stop = () => {
		Server.prototype.listen = listen;
	};
	const server = new Promise((resolve) => {
		Server.prototype.listen = function (...args) {
			this.once('listening', () => resolve(this));
			return listen.apply(this, args);
		};
	});
	return { server, stop };
}

/** Returns functions that create a request for a server and have it answered. */
export function askListener(server) {
	return {
		make: ({ method, path, headers = {}, body = '' }) => ({ method, path, headers: withHost(headers, body), body }),
		answer: ({ method, path, headers, body }) =>
			new Promise((resolve, reject) => {
				const socket = new Nowhere();
				const req = new IncomingMessage(socket);
				Object.assign(req, { method, url: path, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
				for (const [name, value] of Object.entries(headers)) {
					req.headers[name.toLowerCase()] = value;
					req.rawHeaders.push(name, value);
				}
				const res = new ServerResponse(req);
				const chunks = collect(res);
				res.once('error', reject);
				res.once('finish', () =>
					resolve({
						status: res.statusCode,
						// Lazy, because few callers read it.
						get headers() {
							return headersOf(socket.head);
						},
						body: Buffer.concat(chunks).toString(),
					}),
				);
				res.assignSocket(socket);
				if (body !== '') req.push(body);
				req.complete = true;
				req.push(null);
				server.emit('request', req, res);
			}),
	};
}

function withHost(headers, body) {
	const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
	return { host: '127.0.0.1', ...headers, ...length };
}

/** Discards written data except the head of the response. */
class Nowhere extends Duplex {
	remoteAddress = '127.0.0.1';
	remotePort = 1;
	head = '';
	_read() {}
	_write(chunk, _encoding, done) {
		if (!this.head.includes('\r\n\r\n')) this.head += chunk.toString('latin1');
		done();
	}
	setTimeout() {
		return this;
	}
	setNoDelay() {
		return this;
	}
	setKeepAlive() {
		return this;
	}
}

/** Collects the parts of a response's body, without head and chunk frames. */
function collect(res) {
	const chunks = [];
	for (const name of ['write', 'end']) {
		const original = res[name].bind(res);
		res[name] = (chunk, encoding, ...rest) => {
			if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8'));
			else if (chunk instanceof Uint8Array) chunks.push(chunk);
			return original(chunk, encoding, ...rest);
		};
	}
	return chunks;
}

function headersOf(head) {
	const [lines = ''] = head.split('\r\n\r\n');
	const pairs = lines
		.split('\r\n')
		.slice(1)
		.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
	return Object.fromEntries(pairs);
}

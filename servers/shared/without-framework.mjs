/** Code that a server without a framework (node-http, uws, bun) has to write itself. */
import { STATUS_CODES } from 'node:http';
import { RATE_LIMIT } from './fixtures.mjs';

/** Thrown by a handler to refuse a request, with status and headers. */
export class HttpError extends Error {
	constructor(status, headers = {}) {
		super(STATUS_CODES[status]);
		this.status = status;
		this.headers = headers;
	}
}

/**
 * Returns a function that makes a check of a schema, which `compile` compiles at the first request that needs it. The
 * check throws 422.
 */
export const checksWith = (compile) => (schema) => {
	let isValid;
	return (document) => {
		isValid ??= compile(schema);
		if (!isValid(document)) throw new HttpError(422);
	};
};

const windows = new Map();

/** Counts a request of `client` in a window of fixed length; beyond the limit throws 429 with the seconds to wait. */
export function limitRate(client) {
	const now = Date.now();
	let window = windows.get(client);
	if (!window || now >= window.endsAt) {
		window = { count: 0, endsAt: now + RATE_LIMIT.windowMs };
		windows.set(client, window);
	}
	window.count += 1;
	if (window.count <= RATE_LIMIT.requests) return;
	throw new HttpError(429, { 'Retry-After': String(Math.ceil((window.endsAt - now) / 1000)) });
}

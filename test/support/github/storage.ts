import { createServer, type Server } from 'node:http';
import type { Call, DoubleState } from './types.ts';

/**
 * Returns the storage behind artifact downloads: another origin, whose URLs are keys. Requests with GitHub's token are
 * refused and recorded in `problems`.
 */
export function createStorage(state: DoubleState, calls: Call[], problems: string[]): Server {
	return createServer((incoming, outgoing) => {
		const method = incoming.method ?? '';
		const url = new URL(incoming.url ?? '/', 'http://storage');
		const token = incoming.headers.authorization ?? null;
		const id = Number(/^\/artifacts\/(\d+)$/.exec(url.pathname)?.[1]);
		const artifact = state.artifacts.find((candidate) => candidate.id === id);
		const status = token !== null ? 400 : artifact && url.searchParams.has('sig') ? 200 : 403;
		if (token !== null) problems.push(`${method} ${url.pathname}: the storage was shown a token`);
		const query = Object.fromEntries(url.searchParams);
		calls.push({ method, path: url.pathname, query, body: undefined, status, operationId: null, token });
		outgoing.writeHead(status, { 'content-type': status === 200 ? 'application/zip' : 'application/xml' });
		outgoing.end(status === 200 ? artifact?.zip : '<Error><Code>AuthenticationFailed</Code></Error>');
	});
}

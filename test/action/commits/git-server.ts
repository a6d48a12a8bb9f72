import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface GitServer {
	readonly url: string;
	/** Values of `authorization`, request by request. */
	readonly authorisations: string[];
}

/**
 * Serves a bare repository over HTTP through git's own backend to clients with the token; like GitHub it refuses a
 * second header.
 */
export async function startGitServer(t: TestContext, repository: string, token: string): Promise<GitServer> {
	const authorisations: string[] = [];
	const expected = `basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
	const server = createServer((request, response) => {
		const sent = request.headersDistinct.authorization ?? [];
		authorisations.push(sent.join(' and '));
		if (sent.length === 1 && sent[0] === expected) return serve(repository, request, response);
		response.writeHead(sent.length > 1 ? 400 : 401).end();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.after(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, authorisations };
}

function serve(repository: string, request: IncomingMessage, response: ServerResponse): void {
	const url = new URL(request.url ?? '/', 'http://localhost');
	const backend = spawn('git', ['http-backend'], {
		env: {
			PATH: process.env.PATH,
			GIT_PROJECT_ROOT: repository,
			GIT_HTTP_EXPORT_ALL: '1',
			PATH_INFO: url.pathname,
			QUERY_STRING: url.search.slice(1),
			REQUEST_METHOD: request.method,
			CONTENT_TYPE: request.headers['content-type'] ?? '',
			HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
			GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
		},
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	request.pipe(backend.stdin);
	const chunks: Buffer[] = [];
	backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
	backend.on('close', () => {
		const answer = Buffer.concat(chunks);
		const end = answer.indexOf('\r\n\r\n');
		const headers = answer
			.subarray(0, end)
			.toString()
			.split('\r\n')
			.map((line) => line.split(': ') as [string, string]);
		const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
		response.writeHead(Number.parseInt(status, 10), Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
		response.end(answer.subarray(end + 4));
	});
}

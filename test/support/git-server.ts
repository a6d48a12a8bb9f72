/** A git server over https on loopback that imitates a hosting service. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export interface GitServer {
	/** On `localhost`, without a trailing slash. */
	readonly url: string;
	readonly port: number;
	/** For `GIT_SSL_CAINFO`. */
	readonly certificate: string;
	readonly requests: { readonly host: string; readonly path: string; readonly authorization: string | undefined }[];
	/** Path → address. */
	readonly redirects: Map<string, string>;
	close(): Promise<void>;
}

/** Serves all bare repositories below `root` by `git http-backend`, at most until the end of the test. */
export async function startGitServer(t: TestContext, root: string): Promise<GitServer> {
	const certificate = join(root, 'server.crt');
	const key = join(root, 'server.key');
	const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
	const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
	execFileSync('openssl', [...made, '-keyout', key, '-out', certificate, ...names], { stdio: 'pipe' });
	const requests: GitServer['requests'] = [];
	const redirects: GitServer['redirects'] = new Map();
	const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
		const { pathname, search } = new URL(request.url ?? '/', 'https://localhost');
		const { host = '', authorization } = request.headers;
		requests.push({ host, path: pathname, authorization });
		for (const [from, to] of redirects) {
			if (!pathname.startsWith(from)) continue;
			response.writeHead(301, { location: `${to}${pathname.slice(from.length)}${search}` }).end();
			return;
		}
		const backend = spawn('git', ['http-backend'], {
			env: {
				PATH: process.env.PATH,
				GIT_PROJECT_ROOT: root,
				GIT_HTTP_EXPORT_ALL: '1',
				PATH_INFO: pathname,
				QUERY_STRING: search.slice(1),
				REQUEST_METHOD: request.method,
				CONTENT_TYPE: request.headers['content-type'] ?? '',
				HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
				HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
				GIT_CONFIG_COUNT: '1',
				GIT_CONFIG_KEY_0: 'safe.directory',
				GIT_CONFIG_VALUE_0: '*',
			},
			stdio: ['pipe', 'pipe', 'ignore'],
		});
		request.pipe(backend.stdin).on('error', () => {});
		const chunks: Buffer[] = [];
		backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
		backend.on('close', () => {
			const answer = Buffer.concat(chunks);
			const end = answer.indexOf('\r\n\r\n');
			const headers = answer
				.toString('latin1', 0, end)
				.split('\r\n')
				.map((line) => line.split(': ') as [string, string]);
			const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200);
			response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
			response.end(answer.subarray(end + 4));
		});
	});
	const close = () => closeServer(server);
	t.after(close);
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	const { port } = server.address() as AddressInfo;
	return { url: `https://localhost:${port}`, port, certificate, requests, redirects, close };
}

function closeServer(server: Server): Promise<void> {
	server.closeAllConnections();
	return new Promise((closed) => void server.close(() => closed()));
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttp2, createSecureServer } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { findProtocol } from '../../../src/measure/answers/find-protocol.ts';
import { listen } from '../../support/servers/http-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'benchgate-tls-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'.split(' ');
execFileSync('openssl', [...made, '-keyout', keyFile, '-out', certFile], { stdio: 'pipe' });
const secret = { key: readFileSync(keyFile), cert: readFileSync(certFile) };

const CASES: readonly (readonly [string, Server, string | null])[] = [
	['HTTPS', createHttps(secret, (_request, response) => response.end('ok')), 'HTTPS (TLS)'],
	['HTTP/2 over TLS', createSecureServer(secret), 'HTTPS (TLS)'],
	['HTTP/2 without TLS', createHttp2(), 'HTTP/2'],
	['HTTP/1.1', createServer((_request, response) => response.end('ok')), null],
	[
		'something else',
		createTcp((socket) =>
			socket
				.on('error', () => {})
				.resume()
				.end('220 mail ready\r\n'),
		),
		null,
	],
	['silence', createTcp((socket) => socket.on('error', () => {}).resume()), null],
];

for (const [label, server, expected] of CASES) {
	test(`the protocol at a port: ${label}`, async () => {
		await using listening = await listen(server);
		assert.equal(await findProtocol(Number(new URL(listening.origin).port)), expected);
	});
}

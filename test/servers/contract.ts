/** The duties of every built-in server, tested on real processes with their real packages. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isHosted } from '../../src/config/answered-scenarios.ts';
import type { CatalogueServer } from '../../src/config/catalogue.ts';
import { ask } from '../../src/measure/answers/ask.ts';
import type { HttpRequest, Scenario } from '../../src/types/config.ts';
import { type Replacements, type RunningServer, startBuiltin } from '../support/servers/installed-server.ts';
import { nodeFor } from '../support/servers/node-for-server.ts';
import { readScenarios } from '../support/servers/scenario-files.ts';
import { findAnswerFaults, findDeclarationFaults } from '../support/servers/server-contract.ts';
import { documentsOf, type Told } from './same-documents.ts';

export const TIMEOUT = { timeoutMs: 30_000 };
/** More than any machine needs; a server that does not close its connections takes minutes. */
const END_MS = 20_000;
/** hosting.test.ts covers scenarios that start a server in a special way. */
export const scenarios = new Map([...readScenarios()].filter(([, scenario]) => !isHosted(scenario)));
/** Tested in every run, because most users load them; the others only in the slow half. */
export const QUICK = ['express', 'fastify', 'hono', 'koa', 'node-http'];

export function find(name: string): Scenario {
	const scenario = scenarios.get(name);
	assert.ok(scenario, `there is no scenario ${name}`);
	return scenario;
}

export interface Described {
	/** Packages of other versions. */
	readonly replacements?: Replacements;
	/** Replaces `startBuiltin`. */
	readonly given?: () => Promise<RunningServer>;
	/** Collects the server's answers for a comparison with other servers. */
	readonly told?: Told[];
}

/** Registers the tests of one server. */
export function describeServer(declared: CatalogueServer, { replacements, given, told }: Described = {}): void {
	const { name } = declared;
	const leftOut = (scenario: string) => ({ skip: declared.without?.[scenario] ?? false });
	const versions = Object.entries(replacements ?? {}).map((entry) => entry.join('@'));
	const choice = nodeFor(declared);
	const skip = 'skip' in choice ? choice.skip : false;
	const start = given ?? (() => startBuiltin(name, replacements, 'node' in choice ? choice.node : undefined));
	describe([name, ...versions].join(' with '), { skip }, () => {
		let server: RunningServer;
		before(async () => {
			server = await start();
		});
		after(() => server[Symbol.asyncDispose]());
		const send = (request: HttpRequest) => ask(server.origin, request, TIMEOUT);

		// First, before any other request.
		test('answers every request of its declared scenarios', async () => {
			const documents = await documentsOf(declared, scenarios.values(), send);
			assert.ok(documents.size > 0);
			told?.push({ declared, documents });
		});

		test('gives a reason for every scenario it leaves out', () => {
			assert.deepEqual(findDeclarationFaults(declared, scenarios.keys()), []);
		});

		for (const scenario of scenarios.values()) {
			test(`answers ${scenario.name} and its checks as the scenario requires, or leaves it out`, async () => {
				assert.deepEqual(await findAnswerFaults(declared, scenario, server.origin), []);
			});
		}

		test('answers JSON as application/json, errors too', async () => {
			for (const request of [find('ping').request, { method: 'GET', path: '/nowhere', headers: {} }]) {
				// Errors may be problem documents (RFC 9457).
				assert.match((await send(request)).headers['content-type'] ?? '', /^application\/(problem\+)?json(;|$)/);
			}
		});

		test('answers 304 without a body to a client that sends the ETag back', leftOut('conditional-get'), async () => {
			const { request } = find('conditional-get');
			const etag = (await send(request)).headers.etag ?? '';
			assert.notEqual(etag, '');
			const again = await send({ ...request, headers: { 'if-none-match': etag } });
			assert.deepEqual({ status: again.status, bytes: again.bytes }, { status: 304, bytes: 0 });
		});

		test(
			'compresses the production stack only for clients that can read it, and nothing else',
			leftOut('production-stack'),
			async () => {
				const { request } = find('production-stack');
				const { 'accept-encoding': encoding, ...headers } = request.headers;
				assert.equal(encoding, 'gzip');
				assert.equal((await send(request)).headers['content-encoding'], 'gzip');
				assert.equal((await send({ ...request, headers })).headers['content-encoding'], undefined);
				const ping = await send({ ...find('ping').request, headers: { 'accept-encoding': encoding } });
				assert.equal(ping.headers['content-encoding'], undefined);
				assert.equal(ping.headers['access-control-allow-origin'], undefined);
			},
		);

		test('limits a flood to 50 answers and names the time to retry', leftOut('rate-limit-flood'), async () => {
			await using fresh = await server.again();
			const { request } = find('rate-limit-flood');
			const flood = Array.from({ length: 120 }, () => ask(fresh.origin, request, TIMEOUT));
			const answers = await Promise.all(flood);
			const limited = answers.filter((answer) => answer.status === 429);
			assert.equal(answers.filter((answer) => answer.status === 201).length, 50);
			assert.equal(limited.length, 70);
			assert.ok(limited.every((answer) => Number(answer.headers['retry-after']) >= 0));
		});

		test('prints nothing, and ends at SIGTERM with connections open', async () => {
			const idle = connect(Number(new URL(server.origin).port), '127.0.0.1').on('error', () => {});
			const busy = connect(Number(new URL(server.origin).port), '127.0.0.1').on('error', () => {});
			await Promise.all([once(idle, 'connect'), once(busy, 'connect')]);
			busy.write(
				'POST /users HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
			);
			assert.equal((await send(find('ping').request)).status, 200);
			const ended = once(server.process, 'exit');
			server.process.kill('SIGTERM');
			const ending = await Promise.race([ended, delay(END_MS, 'still running', { ref: false })]);
			assert.deepEqual(ending, [0, null]);
			assert.equal(server.output(), '');
			idle.destroy();
			busy.destroy();
		});
	});
}

/** Real load by other programs, if they are installed. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { delimiter } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDriverInstalled, PROGRAMS, requireDriver, runDriver } from '../../../src/measure/drivers/run-driver.ts';
import { isUserError } from '../../../src/types/errors.ts';
import type { OtherDriver } from '../../../src/types/ranking/ranking-setup.ts';
import { listen } from '../../support/servers/http-server.ts';
import { createBench } from '../../support/servers/servers.ts';

/** The remedy in the error for a missing program. */
const REMEDIES: Readonly<Record<OtherDriver, RegExp>> = {
	autocannon: /npm install --global autocannon/,
	wrk: /apt-get install wrk/,
	k6: /go install go\.k6\.io\/k6/,
};
// The autocannon on which benchgate is built serves as well as a global one.
process.env.PATH = [process.env.PATH, fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url))].join(
	delimiter,
);

for (const driver of Object.keys(REMEDIES) as OtherDriver[]) {
	const skip = !isDriverInstalled(driver) && `${driver} is not installed (${PROGRAMS[driver].remedy})`;

	describe(driver, () => {
		test('a missing program is reported with its remedy', () => {
			const path = process.env.PATH;
			process.env.PATH = '/nowhere';
			try {
				assert.throws(
					() => requireDriver(driver),
					(error) => isUserError(error) && error.code === 'no-driver' && REMEDIES[driver].test(error.remedy ?? ''),
				);
			} finally {
				process.env.PATH = path;
			}
		});

		test('sends the request of the scenario, and its counts are a window', { skip }, async () => {
			const requests = { right: 0, wrong: 0 };
			const server = createServer((request, answer) => {
				let body = '';
				request.on('data', (part) => {
					body += part;
				});
				request.on('end', () => {
					const isRight = request.method === 'POST' && request.headers['x-q'] === 'a"b' && body === '{"n":"\\n]]é"}';
					requests[isRight ? 'right' : 'wrong']++;
					answer.writeHead(requests.right % 2 === 0 ? 429 : 201).end('{}');
				});
			});
			await using listening = await listen(server);
			const { origin } = listening;
			await using bench = await createBench();
			const request = { method: 'POST', path: '/users?q=a%2Cb', headers: { 'x-q': 'a"b' }, body: '{"n":"\\n]]é"}' };
			const target = { origin, pid: process.pid, request };
			for (const pipelining of driver === 'k6' ? [1] : [1, 3]) {
				Object.assign(requests, { right: 0, wrong: 0 });
				const load = { connections: 5, pipelining };
				const order = { target, side: 'head' as const, load, seconds: 1, statuses: [201], runStartedAt: Date.now() };
				const window = await runDriver(driver, order, bench.affinity, bench.janitor, bench.controller.signal);
				const head = window.head ?? assert.fail('the side was not loaded');
				assert.equal(window.base, null);
				assert.equal(requests.wrong, 0);
				assert.ok(head.completed > 0 && head.completed <= requests.right, `${head.completed} of ${requests.right}`);
				assert.ok(head.unexpected > 0 && head.unexpected < head.completed, 'every second answer is a 429');
				assert.ok(head.latency.length > 0 && head.latency.every(([value, count]) => value > 0 && count > 0));
				assert.ok((head.cpuSeconds ?? 0) > 0 && window.generatorCpuSeconds > 0);
				assert.ok(window.startedAt >= 0 && window.generatorUtilisation > 0);
				if (driver === 'autocannon') {
					assert.equal(head.statuses[429], head.unexpected);
					assert.equal(head.perSecond?.length, 1);
				}
				if (driver === 'k6') assert.deepEqual(head.statuses, { 201: head.completed - head.unexpected });
			}
		});

		test('is ended at once by an interrupt', { skip }, async () => {
			await using listening = await listen(createServer((_, answer) => answer.end('{}')));
			await using bench = await createBench();
			const stop = new AbortController();
			const request = { method: 'GET', path: '/', headers: {} };
			const target = { origin: listening.origin, pid: process.pid, request };
			const load = { connections: 1, pipelining: 1 };
			const order = { target, side: 'head' as const, load, seconds: 60, statuses: [200], runStartedAt: Date.now() };
			const run = runDriver(driver, order, bench.affinity, bench.janitor, stop.signal);
			setTimeout(() => stop.abort(new Error('stopped by the test')), 300);
			await assert.rejects(run, /stopped by the test/);
		});
	});
}

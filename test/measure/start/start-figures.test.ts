/** The end of the clock of a start. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { firstAskOf } from '../../../src/measure/start/start-figures.ts';
import { listen } from '../../support/servers/http-server.ts';

const request = { method: 'GET', path: '/items', headers: {} };
const scenario = { request, expect: { status: [200, 429], headers: {} } };

/**
 * Sends requests to a server that answers with these statuses, and then always with the last; returns the requested
 * paths too.
 */
async function askServer(statuses: readonly number[], options: Parameters<typeof firstAskOf>[0], mostSeconds?: number) {
	const paths: (string | undefined)[] = [];
	const server = createServer(({ url }, answer) => {
		answer.statusCode = statuses[Math.min(paths.length, statuses.length - 1)] ?? 200;
		paths.push(url);
		answer.end();
	});
	await using listening = await listen(server);
	const answered = await firstAskOf(options, new AbortController().signal, mostSeconds)(listening.origin);
	return { answered, paths };
}

test('a start ends at the first status that the scenario expects, whatever comes before', async () => {
	const { answered, paths } = await askServer([404, 503, 404, 429], scenario);
	assert.deepEqual([answered, paths.length], [true, 4]);
});

test('a server that is never right has no start', async () => {
	const { answered, paths } = await askServer([404], scenario, 0.1);
	assert.equal(answered, false);
	assert.ok(paths.length > 1, 'it was asked again');
});

test('a value to be learnt is requested first', async () => {
	const learn = {
		request: { ...request, path: '/tag' },
		expect: { status: [200], headers: {} },
		from: { header: 'etag' },
		sendAs: 'etag',
	};
	const { answered, paths } = await askServer([200], { ...scenario, expect: { status: [304], headers: {} }, learn });
	assert.deepEqual([answered, paths], [true, ['/tag']]);
});

test('without a known right status, a server has answered unless it fails', async () => {
	const data = { file: 'rows.csv', rows: [] } as never;
	const { answered, paths } = await askServer([500, 404], { ...scenario, data });
	assert.deepEqual([answered, paths.length], [true, 2]);
});

test('a server that does not listen has not answered, and an interrupt ends the attempts', async () => {
	assert.equal(await firstAskOf(scenario, new AbortController().signal)('http://127.0.0.1:1'), false);
	const interrupted = new AbortController();
	const server = createServer((_, answer) => {
		interrupted.abort(new Error('interrupted'));
		answer.writeHead(404).end();
	});
	await using listening = await listen(server);
	await assert.rejects(firstAskOf(scenario, interrupted.signal)(listening.origin), /interrupted/);
});

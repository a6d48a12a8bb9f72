/** When the clock of a start ends. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { firstAskOf } from '../../../src/measure/start/start-figures.ts';
import { listen } from '../../support/servers/http-server.ts';

const request = { method: 'GET', path: '/items', headers: {} };
const scenario = { request, expect: { status: [200, 429], headers: {} } };

/** Asks a server that answers with these statuses, and with the last of them from then on; returns the paths it was asked for as well. */
async function askServer(statuses: readonly number[], asked: Parameters<typeof firstAskOf>[0], mostSeconds?: number) {
	const paths: (string | undefined)[] = [];
	const server = createServer(({ url }, answer) => {
		answer.statusCode = statuses[Math.min(paths.length, statuses.length - 1)] ?? 200;
		paths.push(url);
		answer.end();
	});
	await using listening = await listen(server);
	const answered = await firstAskOf(asked, new AbortController().signal, mostSeconds)(listening.origin);
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

test('what has to be learnt is asked for first', async () => {
	const learn = {
		request: { ...request, path: '/tag' },
		expect: { status: [200], headers: {} },
		from: { header: 'etag' },
		sendAs: 'etag',
	};
	const { answered, paths } = await askServer([200], { ...scenario, expect: { status: [304], headers: {} }, learn });
	assert.deepEqual([answered, paths], [true, ['/tag']]);
});

test('where nobody knows what is right, a server has answered unless it fails', async () => {
	const data = { file: 'rows.csv', rows: [] } as never;
	const { answered, paths } = await askServer([500, 404], { ...scenario, data });
	assert.deepEqual([answered, paths.length], [true, 2]);
});

test('who does not listen has not answered, and an interrupt ends the asking', async () => {
	assert.equal(await firstAskOf(scenario, new AbortController().signal)('http://127.0.0.1:1'), false);
	const interrupted = new AbortController();
	const server = createServer((_, answer) => {
		interrupted.abort(new Error('interrupted'));
		answer.writeHead(404).end();
	});
	await using listening = await listen(server);
	await assert.rejects(firstAskOf(scenario, interrupted.signal)(listening.origin), /interrupted/);
});

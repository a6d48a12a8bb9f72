import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import fc from 'fast-check';
import { autocannonScript, readAutocannon } from '../../../src/measure/drivers/autocannon.ts';

const TOLD = {
	...{ requests: 1000, bytes: 150_000, seconds: 2.01, errors: 3, timeouts: 2 },
	statuses: { 201: 900, 429: 60, 500: 40 },
	perSecond: [
		[510, 76_500],
		[490, 73_500],
	],
	latencies: [
		[1230, 900],
		[412, 100],
	],
};

test('the output of the script is read', () => {
	assert.deepEqual(readAutocannon(JSON.stringify(TOLD), [201, 429]), {
		...{ completed: 1000, bytes: 150_000, seconds: 2.01, errors: 3, timeouts: 2, unexpected: 40 },
		statuses: TOLD.statuses,
		latency: [
			[412, 100],
			[1230, 900],
		],
		perSecond: [
			{ requests: 510, bytes: 76_500 },
			{ requests: 490, bytes: 73_500 },
		],
	});
});

test('foreign output is not read', () => {
	const others = [
		'',
		'null',
		'[]',
		JSON.stringify({ ...TOLD, seconds: 0 }),
		JSON.stringify({ ...TOLD, requests: 'many' }),
		JSON.stringify({ ...TOLD, timeouts: null }),
		JSON.stringify({ ...TOLD, statuses: null }),
		JSON.stringify({ ...TOLD, latencies: [[1]] }),
		JSON.stringify({ ...TOLD, perSecond: [[1, null]] }),
	];
	for (const other of others) assert.equal(readAutocannon(other, [201]), null, other);
});

test('the script is valid for every request', () => {
	const any = fc.string({ unit: 'binary', maxLength: 40 });
	fc.assert(
		fc.property(any, any, any, (body, name, value) => {
			const request = { method: 'POST', path: '/users', headers: { [name]: value }, body };
			const target = { origin: 'http://127.0.0.1:1', pid: 1, request };
			new Script(autocannonScript({ target, load: { connections: 1, pipelining: 1 }, seconds: 1 }));
		}),
		{ seed: 9 },
	);
});

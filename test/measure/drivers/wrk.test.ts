import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readWrk, wrkScript } from '../../../src/measure/drivers/wrk.ts';

const GET = { method: 'GET', path: '/ping', headers: {} };

test('the output of the script is read, whatever wrk prints around it', () => {
	const output = [
		'Running 2s test @ http://127.0.0.1:31000/ping',
		'  1234 requests in 2.00s, 181.36KB read',
		'benchgate-totals 1234 185714 2003251 3 2 7',
		'412 1000',
		'12345 200',
		'12349 30',
		'0 4',
		'',
	].join('\n');
	assert.deepEqual(readWrk(output, [200]), {
		completed: 1234,
		bytes: 185_714,
		seconds: 2.003251,
		errors: 3,
		timeouts: 2,
		unexpected: 7,
		statuses: {},
		latency: [
			[1, 4],
			[412, 1000],
			[12_300, 230],
		],
	});
	assert.equal(readWrk(output, [201, 429])?.unexpected, 0, 'where refusals are right nobody can tell which they were');
	for (const other of [
		'',
		'benchgate-totals 1 2 3',
		output.replace('2003251', '0'),
		output.replace('totals 1234', 'totals nan'),
	]) {
		assert.equal(readWrk(other, [200]), null, other);
	}
});

test('no part of a request can leave its string in the script', () => {
	const any = fc.string({ unit: 'binary', maxLength: 40 });
	fc.assert(
		fc.property(any, any, any, (body, name, value) => {
			const script = wrkScript({ ...GET, method: 'POST', headers: { [name]: value }, body }, 1);
			const texts = [...script.matchAll(/"((?:\\\d{3})*)"/g)].map(([, text = '']) =>
				Buffer.from(text.split('\\').slice(1).map(Number)).toString(),
			);
			assert.deepEqual(texts.slice(0, 4), ['POST', ...[name, value, body].map((text) => Buffer.from(text).toString())]);
			assert.equal(
				script.split('\n').length,
				wrkScript({ ...GET, headers: { a: '' }, body: '' }, 1).split('\n').length,
			);
		}),
		{ seed: 9 },
	);
});

test('only pipelining replaces the request of wrk', () => {
	assert.doesNotMatch(wrkScript(GET, 1), /request = /);
	assert.match(wrkScript(GET, 10), /string\.rep\(wrk\.format\(\), 10\)/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readBisected, renderBisected } from '../../../src/formats/baseline/bisected-file.ts';
import { BISECTED_SCHEMA } from '../../../src/types/trend.ts';
import { bisectedWith } from '../../support/baselines/bisected.ts';
import { strictly } from '../../support/strict-schema.ts';

const BISECTED = bisectedWith({});
const TEXT = renderBisected(BISECTED);

test('the finding of a bisect is written and read back, as one line', () => {
	assert.equal(TEXT.split('\n').length, 2);
	assert.deepEqual(readBisected(TEXT), { bisected: BISECTED });
	assert.ok(new Ajv2020({ allowUnionTypes: true }).compile(strictly(BISECTED_SCHEMA))(BISECTED));
	const open = bisectedWith({ change: null, low: null, high: null, skipped: 3 });
	assert.deepEqual(readBisected(renderBisected(open)), { bisected: open });
});

for (const [label, text, why] of [
	['cut off', TEXT.slice(0, 80), /not complete JSON/],
	['a list', '[]', /does not hold what a bisect found/],
	['a hash that is a path', TEXT.replace('b'.repeat(40), '../../b'), /commit must match pattern/],
	['a title without end', TEXT.replace('Copy', 'x'.repeat(300)), /title must NOT have more than 200/],
	['a probability of two', TEXT.replace('0.993', '2'), /probability must be <= 1/],
	['a server that is markup', TEXT.replace('"koa"', '"<b>"'), /server must match pattern/],
	[
		'a newer one',
		TEXT.replace('"schemaVersion":1', '"schemaVersion":2'),
		/written by benchgate .* with schema version 2; this one reads 1/,
	],
] as const) {
	test(`${label} is refused with the reason`, () => {
		const read = readBisected(text);
		assert.match('why' in read ? read.why : 'read', why);
	});
}

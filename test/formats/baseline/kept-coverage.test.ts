import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { readBaseline, renderBaseline } from '../../../src/formats/baseline/baseline-file.ts';
import { packCoverage, unpackCoverage } from '../../../src/formats/baseline/kept-coverage.ts';
import { MOST_PACKED } from '../../../src/types/baseline.ts';
import { configOf, STEADY } from '../../action/receive/raw-cases.ts';
import { coverageOf, recordOf } from '../../support/impact-cases.ts';

const CELLS = { 'express/ping 0': coverageOf(['send']) };
const pack = (text: string) => ({ packed: brotliCompressSync(text).toString('base64') });

test('coverage survives packing, in a baseline too', () => {
	assert.deepEqual(unpackCoverage({ packed: packCoverage(CELLS) ?? '' }), CELLS);
	const config = configOf('servers: [express]\nscenarios: [ping]\n');
	const record = recordOf(config, { sha: '7'.repeat(40), environment: STEADY.context.environment }, () => ['send']);
	assert.deepEqual(readBaseline(renderBaseline(record), 'x.json'), { record });
});

test('coverage that is too long is not packed', () => {
	const reads = Array.from({ length: MOST_PACKED / 8 }, (_, index) => `${Math.sin(index)}`);
	assert.equal(packCoverage({ 'express/ping 0': { ...coverageOf([]), reads } }), null);
});

test('damaged, foreign, deep and exploding coverage reads as missing', () => {
	const huge = `{"a":"${'x'.repeat(40_000_000)}"}`;
	const texts = ['', '{', '[]', '{"a":1}', '{"a":{"requests":-1}}', `${'['.repeat(99)}${']'.repeat(99)}`, huge];
	for (const text of texts) assert.equal(unpackCoverage(pack(text)), null, text.slice(0, 20));
	assert.equal(unpackCoverage({ packed: 'AAAA' }), null);
});

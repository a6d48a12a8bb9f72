import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestThreshold } from '../../../src/judge/baseline/suggest-threshold.ts';
import type { BaselineRecord } from '../../../src/types/baseline.ts';
import { CONFIG } from '../../runs/selftest/simulated.ts';
import { anchorOf, levelCell, levelOfCommit } from '../../support/baselines/baselines.ts';

/** Levels of so many commits, whose rounds spread by `sd`, and by `noisier` in the second of two rows. */
function runs(count: number, sd: number, noisier = sd, changes: Partial<BaselineRecord> = {}): BaselineRecord[] {
	const cells = [levelCell(0, { roundSd: sd }), levelCell(0, { scenario: 'post', roundSd: noisier })];
	return Array.from({ length: count }, (_, n) => levelOfCommit(n, anchorOf(0), cells, changes));
}
const advise = (records: readonly BaselineRecord[], threshold = 0.05, budgetSeconds = 300) =>
	suggestThreshold(records, { ...CONFIG, threshold, budgetSeconds });

test('a threshold is suggested from the twentieth run on one kind of machine on', () => {
	assert.equal(advise([]), null);
	assert.equal(advise(runs(19, 0.02)), null);
	assert.match(advise(runs(20, 0.02)) ?? '', /^20 runs on this kind of machine support a threshold of /);
	const elsewhere = runs(10, 0.02, 0.02, { environmentId: 'ffffffff' });
	assert.equal(advise([...runs(19, 0.02), ...elsewhere]), null);
	assert.equal(advise([...runs(19, 0.02), ...runs(5, 0.02, 0.02, { purpose: 'proof' })]), null);
});

test('the noisiest row decides which threshold is supported', () => {
	const calm = advise(runs(20, 0.01)) ?? '';
	const noisy = advise(runs(20, 0.01, 0.06)) ?? '';
	assert.match(calm, /that of the config, 5(?:\.0)? %, can be made smaller \(2 rows in 5 min/);
	assert.match(
		noisy,
		/or more: with that of the config, 5(?:\.0)? %, rows stay undecided .*most noise: express\/post\)$/,
	);
	const [, supported] = /threshold of ([\d.]+) %/.exec(calm) ?? [];
	assert.match(advise(runs(20, 0.01), Number(supported) / 100) ?? '', /support the threshold of the config, /);
	assert.match(advise(runs(20, 0.5)) ?? '', /too noisy for any threshold up to 20 %/);
});

test('only the latest twenty runs of a row count', () => {
	const old = runs(10, 0.5);
	const now = runs(40, 0.01).slice(20);
	assert.equal(advise([...old, ...now])?.replace(/^\d+/, ''), advise(now)?.replace(/^\d+/, ''));
});

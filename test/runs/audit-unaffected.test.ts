import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawAudit } from '../../src/plan/draw-audit.ts';
import { auditUnaffected } from '../../src/runs/audit-unaffected.ts';
import type { FoundImpact } from '../../src/runs/find-unaffected.ts';
import { rawOf } from '../action/receive/raw-cases.ts';

const UNAFFECTED = ['app/home', 'app/search'];
const FOUND: FoundImpact = {
	...{ unaffected: UNAFFECTED, coverage: new Map() },
	because: { 'app/checkout': { kind: 'always', always: 'metric' } },
	changed: { changes: [], omitted: 0, notExercised: 0 },
};
const seeds = Array.from({ length: 200 }, (_, seed) => seed);
const seed = seeds.find((each) => drawAudit(UNAFFECTED, each)[0] === 'app/home') ?? -1;
const idle = seeds.find((each) => drawAudit(UNAFFECTED, each).length === 0) ?? -1;
const progress = { step() {}, status() {} };

/** Measures with rounds in which `home` changes by `d`. */
async function audit(d: number) {
	const without: (readonly string[])[] = [];
	const audited = await auditUnaffected(FOUND, { seed, progress }, async (cells) => {
		without.push(cells);
		return rawOf({ turns: { home: d } });
	});
	return { ...audited, without };
}

test('most runs measure no unaffected row', async () => {
	const measure = () => assert.fail('measured');
	assert.deepEqual(await auditUnaffected(FOUND, { seed: idle, progress }, measure), { found: FOUND, warning: null });
});

test('an audit measures only the drawn cell; unless it is red, the rows stay skipped, and its figures are kept', async () => {
	const { found, warning, without } = await audit(0);
	assert.deepEqual(without, [['app/search', 'app/checkout']]);
	assert.deepEqual([found.unaffected, found.because, warning], [UNAFFECTED, FOUND.because, null]);
	const row = found.changed.audit?.rows[0];
	assert.deepEqual([row?.cell, row?.verdict, found.changed.audit?.red], ['app/home', 'unchanged', false]);
	assert.ok(row && row.rounds > 0 && row.change !== null);
});

test('a red audited row cancels all skips, with a warning', async () => {
	const { found, warning } = await audit(-0.2);
	assert.deepEqual([found.unaffected, found.changed.audit?.red], [[], true]);
	assert.deepEqual(found.because, {
		...FOUND.because,
		...{ 'app/home': { kind: 'audit', cell: 'app/home' }, 'app/search': { kind: 'audit', cell: 'app/home' } },
	});
	assert.deepEqual([warning?.code, found.changed.audit?.rows[0]?.verdict], ['audit-red', 'regressed']);
});

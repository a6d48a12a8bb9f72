import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawAudit } from '../../src/plan/draw-audit.ts';

const cells = Array.from({ length: 24 }, (_, index) => `express/row-${index}`);
const RUNS = 10_000;

test('one run of ten measures a tenth of its unaffected cells, every cell equally often', () => {
	const drawn = Array.from({ length: RUNS }, (_, seed) => drawAudit(cells, seed)).filter((each) => each.length > 0);
	assert.ok(Math.abs(drawn.length / RUNS - 0.1) < 0.01, `${drawn.length}`);
	assert.ok(drawn.every((each) => each.length === 3 && new Set(each).size === 3));
	const times = cells.map((cell) => drawn.filter((each) => each.includes(cell)).length);
	const expected = (3 * drawn.length) / cells.length;
	assert.ok(
		times.every((count) => Math.abs(count - expected) < 4 * Math.sqrt(expected)),
		times.join(),
	);
});

test('the seed decides; a single cell is drawn too, and zero cells need no audit', () => {
	const seed = Array.from({ length: 100 }, (_, each) => each).find((each) => drawAudit(cells, each).length > 0);
	assert.ok(seed !== undefined);
	assert.deepEqual(drawAudit(cells, seed), drawAudit(cells, seed));
	assert.deepEqual(drawAudit(['express/ping'], seed), ['express/ping']);
	assert.deepEqual(drawAudit([], seed), []);
});

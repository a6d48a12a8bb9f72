import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plantDrop } from '../../../evaluation/replay/plant.ts';
import { roundDifferences } from '../../../src/stats/differences.ts';
import { DESIGNS } from '../../../src/types/config.ts';
import { syntheticSeries } from '../support/series.ts';

const SERIES = syntheticSeries({ scenarios: ['ping', 'param-json'], rounds: 3, sd: 0.03 });

for (const design of DESIGNS) {
	test(`a planted drop moves d by exactly its logarithm: ${design}`, () => {
		const before = SERIES.rounds.flatMap((round) => round.cells).filter((cell) => cell.design === design);
		const after = plantDrop(SERIES.rounds, 0.07)
			.flatMap((round) => round.cells)
			.filter((cell) => cell.design === design);
		assert.equal(before.length, 6);
		for (const [index, cell] of before.entries()) {
			const [old, planted] = [roundDifferences(cell), roundDifferences(after[index] as typeof cell)];
			for (const metric of ['throughput', 'cpu-per-request'] as const) {
				const moved = (planted[metric] as number) - (old[metric] as number);
				assert.ok(Math.abs(moved - Math.log(0.93)) < 1e-12, `${metric} moved by ${moved}`);
			}
		}
	});
}

test('only the chosen cells change, and base never does', () => {
	const after = plantDrop(SERIES.rounds, 0.1, ['express/ping']);
	for (const [index, round] of SERIES.rounds.entries()) {
		const [ping, other] = round.cells;
		const [newPing, newOther] = after[index]?.cells ?? [];
		assert.deepEqual(newOther, other);
		assert.deepEqual(
			newPing?.windows.map(({ base }) => base),
			ping?.windows.map(({ base }) => base),
		);
		assert.equal(newPing?.windows[0]?.head?.completed, (ping?.windows[0]?.head?.completed as number) * 0.9);
	}
});

test('a drop of zero leaves the rounds unchanged; an invalid drop is refused', () => {
	assert.deepEqual(plantDrop(SERIES.rounds, 0), SERIES.rounds);
	for (const drop of [-0.1, 1, Number.NaN]) assert.throws(() => plantDrop(SERIES.rounds, drop), RangeError);
});

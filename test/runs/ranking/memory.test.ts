/** The orchestrator of a ranking keeps only a few figures per row and round, however much was measured. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { measurePairs } from '../../../src/runs/ranking/measure-pairs.ts';
import { openMeasureStore } from '../../../src/runs/ranking/ranking-store.ts';
import { type MatrixSize, scriptMatrix } from '../../support/scripted-matrix.ts';

const ROUNDS = 4;
/** Most bytes that a row may keep of one round. */
const MOST_BYTES = 4_096;

async function measure(size: MatrixSize) {
	const matrix = scriptMatrix(size);
	const store = await openMeasureStore(null, matrix.header);
	await store.append(matrix.session);
	const rule = { precision: 0.04, rounds: { fewest: ROUNDS, most: ROUNDS }, progress: { step() {}, status() {} } };
	const { signal } = new AbortController();
	await measurePairs(matrix.groups, () => matrix.laboratory, store, { ...rule, signal, clock: () => 0 });
	return { matrix, store };
}

/** Collects garbage. References made in this turn of the loop live until it ends. */
async function collectGarbage(): Promise<void> {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	await delay(0);
	collect();
}

test('no measured round is kept', async () => {
	const { matrix, store } = await measure({ servers: 5, scenarios: 3 });
	// A round of each row, and its cell.
	assert.equal(matrix.rounds.length, ROUNDS * 5 * 3 * (1 + 1));
	const kept = () => matrix.rounds.filter((round) => round.deref() !== undefined).length;
	for (let tries = 0; tries < 20 && kept() > 0; tries++) await collectGarbage();
	assert.equal(kept(), 0);
	assert.ok(store.log().lines.length > ROUNDS * 5, 'and what it says is');
});

test('the kept figures of a row and round have a constant size, whatever was measured', async () => {
	const sizeOf = async (size: MatrixSize) => {
		const { store } = await measure(size);
		const samples = store.log().lines.flatMap((line) => (line.kind === 'samples' ? line.samples : []));
		assert.equal(samples.length, ROUNDS * size.servers * size.scenarios);
		return Buffer.byteLength(JSON.stringify(samples)) / samples.length;
	};
	const usual = await sizeOf({ servers: 2, scenarios: 2 });
	assert.ok(usual < MOST_BYTES, `${usual} bytes`);
	const larger = await sizeOf({ servers: 6, scenarios: 4, windows: 40, latencies: 1_000 });
	assert.ok(larger < 1.2 * usual, `${larger} instead of ${usual} bytes`);
});

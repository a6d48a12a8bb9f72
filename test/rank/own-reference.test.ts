import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cellStates, openCells } from '../../src/rank/cell-state.ts';
import { weighReference } from '../../src/rank/own-reference.ts';
import { shareOf } from '../../src/rank/ratios.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { RankingSample } from '../../src/types/ranking/ranking.ts';
import { scriptSample } from '../support/ranking-cases.ts';

const RATE = 40_000;
const SERVERS = ['koa', 'express', 'fastify', 'hono', 'polka'];
/** Deviations without a pattern and with mean zero. */
const WAVE = [0.02, -0.01, 0.03, -0.04, 0.01, -0.01];

/** Returns six rounds of each server at half of the reference; `server` and `reference` are their deviations. */
function roundsOf(
	deviate: (row: number, round: number) => { readonly server: number; readonly reference: number },
): RankingSample[] {
	return SERVERS.flatMap((server, row) =>
		WAVE.map((_, at) => {
			const { server: luck, reference } = deviate(row, at);
			return scriptSample({
				...{ server, round: at + 1 },
				...{ share: 0.5 * Math.exp(luck - reference), reference: RATE * Math.exp(reference) },
			});
		}),
	);
}

const waveAt = (at: number): number => WAVE[at % WAVE.length] ?? 0;

function assertNear(actual: readonly number[], expected: readonly number[]): void {
	assert.equal(actual.length, expected.length);
	for (const [at, value] of actual.entries())
		assert.ok(Math.abs(value - (expected[at] ?? 0)) < 1e-9, `${value} at ${at}`);
}

test('common noise leaves the ratio of neighbours unchanged', () => {
	const samples = roundsOf((row, at) => ({ server: waveAt(at + row), reference: waveAt(at + row) }));
	const { d, weight } = weighReference(samples, 'throughput');
	assert.ok(Math.abs(weight - 1) < 1e-9, String(weight));
	assertNear([...d.values()], Array(samples.length).fill(Math.log(0.5)));
});

test('the luck of a process of the reference is removed from servers that do not share it', () => {
	const samples = roundsOf((row, at) => ({ server: 0, reference: waveAt(at + row) }));
	const { d, weight } = weighReference(samples, 'throughput');
	assert.ok(Math.abs(weight) < 1e-9, String(weight));
	const means = WAVE.map((_, at) => SERVERS.reduce((sum, __, row) => sum + waveAt(at + row), 0) / SERVERS.length);
	assertNear(
		samples.map((sample) => d.get(sample) ?? Number.NaN),
		samples.map(({ round }) => Math.log(0.5) - (means[round - 1] ?? 0)),
	);
	// More CPU time is worse.
	const byCpu = weighReference(samples, 'cpu-per-request');
	assertNear([...byCpu.d.values()], [...d.values()]);
});

test('the weight is the slope within rows, whatever their levels', () => {
	// Half of the reference's deviation from its mean of the round, plus a server's own level.
	const samples = roundsOf((row, at) => ({ server: 0.3 * row + 0.5 * waveAt(at + row), reference: waveAt(at + row) }));
	const centred = roundsOf((_, at) => ({ server: 0.5 * waveAt(at), reference: waveAt(at) }));
	assert.ok(Math.abs(weighReference(samples, 'throughput').weight - 0.5) < 0.05);
	// All processes of a round deviate alike, so they are indistinguishable.
	assert.equal(weighReference(centred, 'throughput').weight, 1);
});

test('few rounds, broken rounds, and a server beside itself give no weight', () => {
	const samples = roundsOf((row, at) => ({ server: 0, reference: waveAt(at + row) }));
	const few = samples.filter(({ server, round }) => server === 'koa' || round < 5);
	assert.equal(weighReference(few, 'throughput').weight, 1);
	assertNear(
		[...weighReference(few, 'throughput').d.values()],
		few.map(({ d }) => d.throughput ?? 0),
	);
	const broken = scriptSample({ server: 'koa', round: 7, share: 9, faults: [{ code: 'crashed', message: 'gone' }] });
	const same = { ...scriptSample({ server: 'node-http', round: 1, share: 1.2 }), reference: 'node-http' };
	const { d, weight } = weighReference([...samples, broken, same], 'throughput');
	assert.equal(weight, weighReference(samples, 'throughput').weight);
	assert.deepEqual([d.get(broken), d.get(same)], [broken.d.throughput, same.d.throughput]);
});

test('rows of servers loaded in turn use the weight, and report it', () => {
	const samples = roundsOf((row, at) => ({ server: 0, reference: waveAt(at + row) }));
	const scenarios = [{ name: 'ping' }];
	const inTurn = cellStates(samples, { scenarios, design: 'alternating' }).get('koa/ping');
	const beside = cellStates(samples, { scenarios }).get('koa/ping');
	assert.ok(inTurn && Math.abs(inTurn.ownReference) < 1e-9);
	assert.equal(beside?.ownReference, 1);
	assert.ok((inTurn.halfWidth ?? 1) < (beside.halfWidth ?? 0));
});

describe('intervals keep their coverage, and rows need fewer rounds', () => {
	const RULE = { precision: 0.04, fewest: 3, most: 20 };
	const ROWS = 11;
	const SCENARIOS = ['a', 'b', 'c', 'd'];
	const setup = { scenarios: SCENARIOS.map((name) => ({ name })) };
	const ids = SCENARIOS.flatMap((scenario) => Array.from({ length: ROWS }, (_, row) => `s${row}/${scenario}`));
	const RUNS = 12;
	// Standard deviations of single processes, of pairs, and of the machine's drift from round to round.
	for (const [processes, common, drift] of [
		[0.025, 0.02, 0],
		[0.025, 0.02, 0.04],
		[0.03, 0, 0.04],
		[0.01, 0.05, 0.02],
	] as const) {
		test(`processes differ by ${processes}, pairs by ${common}, rounds by ${drift}`, () => {
			let [missed, rounds, beside] = [0, 0, 0];
			for (let run = 0; run < RUNS; run++) {
				for (const design of ['alternating', undefined] as const) {
					const random = createRandom(17, run, Math.round(1000 * (processes + 10 * common + 100 * drift)));
					const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
					const samples: RankingSample[] = [];
					let level = 0;
					for (let round = 1; ; round++) {
						const states = cellStates(samples, { ...setup, ...(design && { design }) });
						const open = openCells(ids, states, RULE);
						if (open.length === 0) {
							if (design === undefined) {
								beside += samples.length;
								break;
							}
							rounds += samples.length;
							for (const { share } of states.values()) {
								const { low, high } = shareOf(share ?? { theta: 0, se: 0, df: 1 });
								if (low > 1 || high < 1) missed++;
							}
							break;
						}
						level += drift * normal();
						for (const id of open) {
							const [server = '', scenario = ''] = id.split('/');
							const machine = level + common * normal();
							const reference = machine + processes * normal();
							const luck = machine + processes * normal();
							samples.push(
								scriptSample({
									...{ server, scenario, round },
									...{ share: Math.exp(luck - reference), reference: RATE * Math.exp(reference) },
								}),
							);
						}
					}
				}
			}
			const part = missed / (RUNS * ids.length);
			assert.ok(part > 0.01 && part < 0.07, `${missed} of ${RUNS * ids.length}`);
			// Processes that hardly differ gain nothing.
			assert.ok(rounds < (processes < common ? 1.03 : 0.92) * beside, `${rounds} rounds instead of ${beside}`);
		});
	}
});

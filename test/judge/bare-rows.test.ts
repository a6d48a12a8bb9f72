/** Scenarios that measure processes instead of requests: their rows, and the verdicts on them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findContradiction } from '../../src/formats/raw/raw-contradiction.ts';
import { decide } from '../../src/judge/decide.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { MetricName } from '../../src/types/metric.ts';
import { countRows, type Plan } from '../../src/types/plan.ts';
import type { Raw } from '../../src/types/result.ts';
import type { Round } from '../../src/types/round.ts';
import { scriptPlan, scriptRound } from '../support/rounds.ts';

const OWN: Readonly<Record<string, readonly MetricName[]>> = {
	startup: ['cold-start', 'reload'],
	footprint: ['memory-at-rest', 'memory-after-100k'],
};
const SCRIPT = scriptPlan(['ping', 'startup', 'footprint']);
const half = (threshold: number) => ({ threshold, tolerance: threshold / 2 });
const PLAN: Plan = {
	...SCRIPT,
	cells: SCRIPT.cells.map((cell) => ({
		...cell,
		...(OWN[cell.scenario] && { metrics: OWN[cell.scenario] }),
	})) as Plan['cells'],
	margins: {
		'cold-start': half(0.15),
		reload: half(0.15),
		'memory-at-rest': half(0.05),
		'memory-after-100k': half(0.1),
	},
};

/** How much worse head is, as log ratios. */
function roundsOf(seed: number, worse: { readonly reload?: number; readonly leak?: number } = {}, count = 20): Round[] {
	const random = createRandom(seed);
	const pair = (level: number, shift: number, sd: number): [number, number] => [
		level,
		level * Math.exp(shift + sd * random.normal()),
	];
	const bare = { d: 0, windows: [] };
	return Array.from({ length: count }, (_, index) =>
		scriptRound(index + 1, {
			ping: { d: 0.005 * random.normal(), start: { memory: pair(50e6, 0, 0.008) } },
			startup: {
				...bare,
				start: {
					seconds: pair(0.2, 0, 0.04),
					memory: pair(50e6, 0, 0.008),
					reload: pair(0.25, worse.reload ?? 0, 0.04),
				},
			},
			footprint: {
				...bare,
				start: { memory: pair(50e6, 0, 0.008) },
				after: pair(90e6, worse.leak ?? 0, 0.03),
			},
		}),
	);
}

function verdictsOf(rounds: readonly Round[], plan = PLAN): string[] {
	return decide(plan, rounds, 'rounds').rows.map(({ cell, metric, verdict }) => `${cell} ${metric} ${verdict}`);
}

test('each process scenario has its own rows, and the other scenarios those of the gate', () => {
	assert.deepEqual(verdictsOf(roundsOf(1)), [
		'app/ping throughput unchanged',
		'app/startup cold-start unchanged',
		'app/startup reload unchanged',
		'app/footprint memory-at-rest unchanged',
		'app/footprint memory-after-100k unchanged',
	]);
	assert.equal(countRows(PLAN), 5);
	const everyRound = decide(PLAN, roundsOf(1), 'rounds').rows.filter(({ metric }) => metric !== 'throughput');
	for (const row of everyRound) assert.deepEqual(row.warnings, [], row.metric);
});

test('a process metric that the gate also names is one row per server', () => {
	const gated: Plan = { ...PLAN, metrics: ['throughput', 'cold-start'] };
	assert.deepEqual(
		decide(gated, roundsOf(1), 'rounds').rows.map(({ cell, metric }) => `${cell} ${metric}`),
		[
			'app/ping throughput',
			'app/ping cold-start',
			'app/startup reload',
			'app/footprint memory-at-rest',
			'app/footprint memory-after-100k',
		],
	);
	assert.equal(countRows(gated), 5);
});

for (const [label, worse, red] of [
	['slow reload', { reload: 0.4 }, 'app/startup reload regressed'],
	['leak', { leak: 0.3 }, 'app/footprint memory-after-100k regressed'],
] as const) {
	test(`a planted ${label} is found, and no other row is red`, () => {
		for (let seed = 1; seed <= 10; seed++) {
			const regressed = verdictsOf(roundsOf(seed, worse)).filter((row) => row.endsWith('regressed'));
			assert.deepEqual(regressed, [red]);
		}
	});
}

test('no row is red of 200 rows of a server against itself', () => {
	const verdicts = Array.from({ length: 40 }, (_, seed) => verdictsOf(roundsOf(2000 + seed))).flat();
	assert.equal(verdicts.length, 200);
	assert.deepEqual(
		verdicts.filter((row) => row.endsWith('regressed')),
		[],
	);
});

test('a fault of one scenario leaves the others valid, and rounds without windows are no slow machine', () => {
	const fault = { code: 'wrong-status', side: 'head', message: 'no' } as const;
	const broken = roundsOf(1).map((round) => ({
		...round,
		cells: round.cells.map((cell) => (cell.cell === 'app/startup' ? { ...cell, faults: [fault] } : cell)),
	}));
	assert.deepEqual(
		verdictsOf(broken).map((row) => row.split(' ').at(-1)),
		['unchanged', 'invalid', 'invalid', 'unchanged', 'unchanged'],
	);
	assert.deepEqual(decide(PLAN, roundsOf(1), 'rounds').discardedRounds, []);
	// The pace of the machine comes from ping alone, whichever scenarios run beside it.
	const slow = roundsOf(1).map((round) =>
		round.round === 5
			? { ...round, cells: [...scriptRound(5, { ping: { d: 0, speed: 0.3 } }).cells, ...round.cells.slice(1)] }
			: round,
	);
	assert.deepEqual(decide(PLAN, slow, 'rounds').discardedRounds, [5]);
});

test('raw data with a cell without metrics, or with a repeated metric, is refused', () => {
	const noteFor = (metrics: readonly MetricName[]) =>
		findContradiction({
			plan: { ...PLAN, cells: PLAN.cells.map((cell) => ({ ...cell, metrics })) },
			rounds: [],
			refused: [],
		} as unknown as Raw);
	assert.equal(noteFor(['reload']), null);
	for (const metrics of [[], ['reload', 'reload']] as const) {
		assert.equal(noteFor(metrics), 'a cell has no metrics, or one twice');
	}
});

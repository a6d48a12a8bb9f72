/** Results that no machine measured: made by formulas, for every page of results. */
import { shareOf } from '../../../evaluation/replay/share.ts';
import {
	type Mean,
	PLANTED,
	RESULTS_VERSION,
	type Results,
	type RuleResult,
	type TimingCost,
	type ValidityPair,
} from '../../../evaluation/results.ts';

const REPLAYS = 160;

/** Returns complete results; `changes` replaces whole parts of them. */
export function exampleResults(changes: Partial<Results> = {}): Results {
	return {
		version: RESULTS_VERSION,
		data: {
			series: 24,
			rounds: 1234,
			hours: 9.2,
			machine: '2 × Example CPU @ 2.50GHz, 8 GiB, Linux 6.1, servers on CPU 0, generator on CPU 1',
			node: '24.21.0',
			skipped: [{ file: 'designs-koa-2.ndjson.gz', reason: 'line 7 is not JSON' }],
			disturbed: { windows: 120, of: 9_876, series: [{ id: 'designs-koa-1', windows: 60, of: 190 }] },
		},
		rules: [
			exampleRule('benchgate', 'benchgate, duet', 0.001, 28, 'docs/statistics.md'),
			exampleRule('one-run', 'One run of each side, more than 5 % slower', 0.22, 12, 'https://example.org/one-run#how'),
			exampleRule('patient', 'Two hundred runs of each side', 0.001, 420, 'https://example.org/patient'),
			exampleRule('retry', 'Paired t, looked at after every round, until p < 0.05', 0.35, 20, 'A paper, 1969'),
		],
		matrices: [
			{
				origin: 'live',
				threshold: 0.05,
				cells: 6,
				runs: 20,
				cutOff: 0,
				redGates: shareOf(0, 20),
				verdicts: { unchanged: 118, inconclusive: 2 },
				covered: shareOf(117, 120),
				seconds: { median: 290, p90: 421.5 },
				secondsPerCell: 48.33,
				power: [],
			},
			{
				origin: 'consecutive',
				threshold: 0.05,
				cells: 6,
				runs: 53,
				cutOff: 4,
				redGates: shareOf(1, 53),
				verdicts: { unchanged: 310, inconclusive: 7, regressed: 1 },
				covered: shareOf(309, 318),
				seconds: { median: 110.4, p90: 260 },
				secondsPerCell: 18.4,
				power: [],
			},
			{
				origin: 'replayed',
				threshold: 0.05,
				cells: 6,
				runs: 300,
				cutOff: 0,
				redGates: shareOf(0, 300),
				verdicts: { unchanged: 1799, inconclusive: 1 },
				covered: shareOf(1780, 1800),
				seconds: { median: 84, p90: 130 },
				secondsPerCell: 14,
				power: [
					{ drop: 0.05, red: shareOf(270, 300), seconds: { median: 140, p90: 200 } },
					{ drop: 0.1, red: shareOf(300, 300), seconds: { median: 84, p90: 140 } },
				],
			},
			{
				origin: 'replayed',
				threshold: 0.02,
				cells: 6,
				runs: 300,
				cutOff: 0,
				redGates: shareOf(1, 300),
				verdicts: { unchanged: 1700, inconclusive: 99, regressed: 1 },
				covered: shareOf(1764, 1800),
				seconds: { median: 900, p90: 1300 },
				secondsPerCell: 150,
				power: [{ drop: 0.1, red: shareOf(300, 300), seconds: { median: 910, p90: 1320 } }],
			},
		],
		places: [null, 1, 2].flatMap((place) =>
			costs('koa', 2, 1)
				.slice(-1)
				.map((cost) => ({ ...cost, place })),
		),
		timing: ['express', 'koa'].flatMap((server, at) => [1, 2].flatMap((scenarios) => costs(server, scenarios, at))),
		validity: {
			pairs: [
				examplePair('express-versions', 'express 4.21.2 → 5.1.0', 'revisions', -0.048, null),
				examplePair('koa-express', 'koa → express', 'servers', -0.612, null),
				{
					...examplePair('cpu-10', 'express, CPU time for a drop of 10 %', 'cpu', -0.105, Math.log(0.9)),
					achieved: { of: 'cpu-per-request', mean: mean(-0.11, 0.01, 6) },
				},
				{
					...examplePair('wait', 'express, waits 2 ms', 'wait', -0.02, null),
					achieved: { of: 'answer-time', mean: mean(104, 8, 6) },
					cpu: none(),
					asksConfirmation: true,
					guards: ['servers-wait', 'confirmed-alternating'],
				},
			],
			lines: [
				{ of: 'duet', on: 'sequential', among: 'real', slope: mean(0.98, 0.05, 7), intercept: mean(-0.001, 0.004, 7) },
				{
					of: 'duet',
					on: 'alternating',
					among: 'all',
					slope: mean(1.01, 0.03, 16),
					intercept: mean(0.0005, 0.002, 16),
				},
			],
		},
		bias: (['duet', 'alternating', 'sequential'] as const).flatMap((design, at) =>
			['all', 'base client first', 'head client first', 'server express'].map((of, row) => ({
				design,
				of,
				throughput: mean((row - 1.5) * 0.001 * (at + 1), 0.0015 * (at + 1), 80 - row),
				cpu: mean((1.5 - row) * 0.0008, 0.001 * (at + 1), 80 - row),
			})),
		),
		independence: [
			{
				design: 'duet',
				server: 'koa',
				cell: 'koa/param-json',
				rounds: 40,
				sd: 0.0213,
				robustSd: 0.0187,
				lag1: 0.08,
				skew: -0.4,
				outliers: 1,
			},
		],
		guards: [{ code: 'correlated-rounds', runs: shareOf(3, 96) }],
		sharedVariance: [false, true].map((shared) => ({
			shared,
			drop: 0.05,
			runs: 300,
			redGates: shareOf(shared ? 160 : 151, 300),
			inconclusiveRows: shareOf(20, 1800),
			wrongPasses: shareOf(shared ? 9 : 7, 300),
			roundsPerCell: shared ? 6.2 : 6.9,
			covered: shareOf(1750, 1800),
		})),
		together: [],
		...changes,
	};
}

/** Returns a rule that is red with `size` on equal sides, and the surer the larger `slope`. */
export function exampleRule(rule: string, title: string, size: number, slope: number, reference: string): RuleResult {
	return {
		rule,
		title,
		reference,
		design: rule === 'benchgate' ? 'duet' : 'sequential',
		at: PLANTED.map((drop) => ({
			drop,
			red: shareOf(
				Math.round(REPLAYS * Math.min(1, size + (1 - size) * (1 - Math.exp(-((slope * drop) ** 2))))),
				REPLAYS,
			),
			undecided: shareOf(rule === 'benchgate' ? Math.round(REPLAYS * drop) : 0, REPLAYS),
			seconds: { median: 40 + 600 * drop, p90: 90 + 900 * drop },
		})),
	};
}

function costs(server: string, scenariosPerProcess: number, at: number): TimingCost[] {
	return [0.25, 0.5, 1, 2].flatMap((warmupSeconds) =>
		[0.5, 1, 2].map((countedSeconds) => {
			const sd = (0.012 + 0.004 * at) * (1 + 0.3 / warmupSeconds + 0.2 / countedSeconds);
			const secondsPerCell = 1.1 / scenariosPerProcess + warmupSeconds + countedSeconds;
			return {
				...{ server, warmupSeconds, countedSeconds, scenariosPerProcess, rounds: 16, sd, secondsPerCell },
				robustSd: sd * 0.9,
				bias: mean(0.1 / warmupSeconds, 0.3, 16),
				cost: (100 * sd) ** 2 * secondsPerCell,
			};
		}),
	);
}

function examplePair(id: string, title: string, effect: string, d: number, intended: number | null): ValidityPair {
	const throughput = {
		duet: mean(d, 0.012, 6),
		alternating: mean(d * 1.02, 0.015, 6),
		sequential: mean(d * 0.97, 0.02, 6),
	};
	return {
		id,
		title,
		effect,
		intended,
		achieved: null,
		throughput,
		cpu: throughput,
		verdict: 'regressed',
		asksConfirmation: false,
		guards: [],
	};
}

function mean(value: number, half: number, of: number): Mean {
	return { value, low: value - half, high: value + half, of };
}

function none(): ValidityPair['cpu'] {
	return { duet: null, alternating: null, sequential: null };
}

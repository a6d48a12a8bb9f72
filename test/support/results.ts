import { gateOf } from '../../src/judge/gate.ts';
import { gateRowOf } from '../../src/judge/gate-row.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { RowDrift } from '../../src/types/main-baselines.ts';
import { isOfServer, METRICS, type MetricName } from '../../src/types/metric.ts';
import type { CellResult, ChartData, Environment, MetricResult, Result, RevisionInfo } from '../../src/types/result.ts';
import { RESULT_SCHEMA_VERSION } from '../../src/types/result.ts';
import type { LatencyHistogram } from '../../src/types/round.ts';
import type { GateOutcome, Verdict } from '../../src/types/verdict.ts';

export interface RowSketch {
	readonly server?: string;
	readonly scenario: string;
	readonly verdict?: Verdict;
	/** In the direction of throughput: negative is worse. Absent without an estimate. */
	readonly change?: number;
	/** Half the interval's width. */
	readonly margin?: number;
	/** Base throughput in requests/s. */
	readonly rate?: number;
	/** Upper limit of the level in requests/s, if its measurements disagree. */
	readonly mostRate?: number;
	readonly judgedBy?: MetricName;
	/** Default: throughput. */
	readonly metric?: MetricName;
	readonly rounds?: number;
	readonly warnings?: CellResult['warnings'];
	readonly threshold?: number;
	readonly smallestDecidableThreshold?: number;
	readonly newerThanBase?: true;
	readonly drift?: DriftSketch;
}

export interface DriftSketch extends Partial<Pick<RowDrift, 'policy' | 'threshold' | 'anchor' | 'measured'>> {
	readonly verdict: RowDrift['verdict'];
	/** Change of main against its anchor per baseline, oldest first; the last is its standing. */
	readonly history: readonly number[];
	/** Half the width of main's interval. */
	readonly margin?: number;
}

const ENVIRONMENT: Environment = {
	os: 'Linux',
	kernel: '6.8.0-1021-azure',
	cpuModel: 'AMD EPYC 7763 64-Core Processor',
	cpus: 4,
	memoryBytes: 16 * 2 ** 30,
	node: 'v24.21.0',
	loadAverage: 0.42,
	pinning: 'servers on CPU 2, generator on CPU 3',
};

const PACKAGES = { 'body-parser': '2.2.0', router: '2.2.0', send: '1.2.0', 'serve-static': '2.2.0' };

const SHAS = {
	'main@1a2b3c4': '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d',
	'faster-router@9f8e7d6': '9f8e7d6c5b4a39281706f5e4d3c2b1a098765432',
} as const;

export function revisionOf(
	label: keyof typeof SHAS,
	version: string,
	packages: Readonly<Record<string, string>> = {},
): RevisionInfo {
	return {
		revision: label.split('@')[0] ?? label,
		kind: 'git',
		label,
		sha: SHAS[label],
		subject: { name: 'express', version },
		versions: { express: { express: version, ...PACKAGES, ...packages } },
	};
}

export function cellOf(sketch: RowSketch): CellResult {
	const { server = 'express', scenario, verdict = 'unchanged', change, margin = 0.018, rounds = 14 } = sketch;
	const { metric = 'throughput', judgedBy = metric, threshold = 0.05 } = sketch;
	const measured = change !== undefined;
	const { rate = 12_000, mostRate } = sketch;
	const usual = measured && !isOfServer(metric) ? metricsOf(rate, change, margin, mostRate) : {};
	const metrics = measured ? { ...ownMetric(metric, change, margin), ...usual } : {};
	const judged = metrics[judgedBy];
	return {
		server,
		scenario,
		metric,
		judgedBy,
		verdict,
		change: judged?.change ?? null,
		interval: judged?.interval ?? null,
		threshold,
		tolerance: threshold / 2,
		rounds: measured ? rounds : 0,
		roundSd: measured ? margin * 1.2 : null,
		smallestDecidableThreshold: measured ? (sketch.smallestDecidableThreshold ?? margin * 2) : null,
		pRegressed: measured ? (verdict === 'regressed' ? 0.0004 : 0.61) : null,
		pUnchanged: measured ? (verdict === 'unchanged' ? 0.002 : 0.58) : null,
		metrics,
		guards: measured
			? { generatorUtilisation: 0.61, serverUtilisation: 0.98, cpuShare: 0.501, nonExpected: 0, errors: 0, lag1: 0.06 }
			: null,
		warnings: sketch.warnings ?? [],
		...(sketch.newerThanBase && { newerThanBase: sketch.newerThanBase }),
		...(sketch.drift && { drift: driftOf(sketch.drift, change ?? null) }),
	};
}

function driftOf({ verdict, history, margin = 0.008, ...given }: DriftSketch, adds: number | null): RowDrift {
	const change = history.at(-1) ?? 0;
	return {
		verdict,
		policy: 'advisory',
		threshold: 0.1,
		anchor: 'v5.2.0',
		measured: 'main@0f1e2d3',
		main: { change, low: change - margin, high: change + margin },
		adds,
		total: adds === null ? null : (1 + change) * (1 + adds) - 1,
		history,
		...given,
	};
}

/** For metrics shown only when gated. */
function ownMetric(name: MetricName, change: number, margin: number): Partial<Record<MetricName, MetricResult>> {
	if (!METRICS[name].gatedOnly) return {};
	const [, result] = metricEntry(name, METRICS[name].unit === 'MB' ? 64.2 : 184, change, margin);
	return { [name]: { ...result, source: 'duet' } };
}

function metricEntry(name: MetricName, base: number, worse: number, margin: number): [MetricName, MetricResult] {
	const { better, unit } = METRICS[name];
	const turn = (value: number): number => (better === 'higher' ? value : 1 / (1 + value) - 1);
	const ends = [turn(worse - margin), turn(worse + margin)].sort((a, b) => a - b);
	const interval = { low: ends[0] ?? null, high: ends[1] ?? null, confidence: 0.9 };
	return [name, { base, head: base * (1 + turn(worse)), change: turn(worse), interval, unit, source: 'solo' }];
}

function metricsOf(
	rate: number,
	change: number,
	margin: number,
	mostRate?: number,
): Partial<Record<MetricName, MetricResult>> {
	const entry = (name: MetricName, base: number, worse: number) => metricEntry(name, base, worse, margin);
	const micros = 1e6 / rate;
	const [throughput, figures] = entry('throughput', rate, change);
	return Object.fromEntries([
		[throughput, mostRate === undefined ? figures : { ...figures, level: { low: rate, high: mostRate } }],
		entry('cpu-per-request', micros * 0.97, change * 0.98),
		entry('latency-p50', micros * 0.02, change * 0.9),
		entry('latency-p99', micros * 0.05, change * 0.6),
		entry('memory-peak', 87.4, -0.004),
	]);
}

/** Returns a complete result of these rows, with the judge's reasons for the gate. */
export function resultOf(
	rows: readonly (RowSketch | CellResult)[],
	outcome: GateOutcome = 'pass',
	overrides: Partial<Result> = {},
): Result {
	const cells = rows.map((row) => ('metrics' in row ? row : cellOf(row)));
	const servers = [...new Set(cells.map(({ server }) => server))];
	return {
		schemaVersion: RESULT_SCHEMA_VERSION,
		tool: { name: 'benchgate', version: '0.1.0' },
		createdAt: '2026-11-21T09:30:12.000Z',
		seed: 42,
		design: 'duet',
		threshold: 0.05,
		tolerance: 0.025,
		budget: 600,
		base: revisionOf('main@1a2b3c4', '5.1.0'),
		head: revisionOf('faster-router@9f8e7d6', '5.2.0', { router: '2.3.0' }),
		environment: ENVIRONMENT,
		gate: { ...gateOf(cells.map(gateRowOf)), outcome },
		onInconclusive: 'pass',
		ended: 'decided',
		cells,
		warnings: [],
		timing: {
			totalSeconds: 372,
			measuringSeconds: 318,
			loadSeconds: 214,
			roundsRun: 14,
			orchestratorPeakBytes: 96 * 2 ** 20,
		},
		reproduce: `npx benchgate compare --base main --head faster-router --server ${servers.join(',')} --seed 42`,
		...overrides,
	};
}

/** Returns reproducible chart data for every row with an estimate. */
export function chartsOf(result: Result, seed = 1): ChartData {
	const random = createRandom(seed);
	const measured = result.cells.filter((cell) => cell.change !== null);
	const rounds = measured.map((cell) => {
		const sd = cell.roundSd ?? 0.02;
		const points = Array.from({ length: cell.rounds + 1 }, (_, index) => ({
			round: index + 1,
			startedAt: index * 22.5,
			change: (cell.change ?? 0) + sd * random.normal() - (index === 5 ? 0.12 : 0),
			discarded: index === 5,
		}));
		return [`${cell.server}/${cell.scenario}`, points] as const;
	});
	const latency = measured.map((cell) => {
		const p50 = (cell.metrics['latency-p50']?.base ?? 1) * 1000;
		const sides = { base: histogramOf(p50, seed), head: histogramOf(p50 * (1 - (cell.change ?? 0)), seed + 1) };
		return [`${cell.server}/${cell.scenario}`, sides] as const;
	});
	return { rounds: Object.fromEntries(rounds), latency: Object.fromEntries(latency) };
}

function histogramOf(p50: number, seed: number): LatencyHistogram {
	const random = createRandom(seed, Math.round(p50));
	const counts = new Map<number, number>();
	for (let sample = 0; sample < 4000; sample++) {
		const slow = random.next() < 0.03 ? 2.5 : 1;
		const micros = p50 * slow * Math.exp(0.22 * random.normal());
		const unit = 10 ** Math.max(Math.floor(Math.log10(micros)) - 1, 0);
		const value = Math.round(micros / unit) * unit;
		counts.set(value, (counts.get(value) ?? 0) + 1);
	}
	return [...counts].sort((a, b) => a[0] - b[0]);
}

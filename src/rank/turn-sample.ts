/** Samples of a ranking: one per server and round. */
import { sum } from 'simple-statistics';
import { invalidityOf } from '../judge/guard-warnings.ts';
import { type Sample, samplesByCell } from '../judge/looks/samples.ts';
import { isAlone } from '../stats/absolute.ts';
import { type Differences, roundDifferences } from '../stats/differences.ts';
import { figureOf, type PooledSide, poolSide } from '../stats/figures.ts';
import { busyShare, summariseGuards } from '../stats/guards.ts';
import { histogramQuantile } from '../stats/histogram.ts';
import { poolTotals, sideOf } from '../stats/windows.ts';
import { METRIC_NAMES, METRICS, type MetricName } from '../types/metric.ts';
import type { AloneFigures, LatencyFigures, LoadTotals, RateFigures } from '../types/ranking/load-figures.ts';
import type { RankingSample } from '../types/ranking/ranking.ts';
import type { CellRound, LatencyHistogram, Round, WindowSide } from '../types/round.ts';
import { type Fraction, otherSide, type Seconds, type Side } from '../types/units.ts';
import { addStatuses, rateFigures } from './alone.ts';

const MS_PER_US = 1 / 1000;
/** Windows vary in length. Joined ones count as a second from this length on. */
const WHOLE_SECOND: Seconds = 0.98;
const FEWEST_SECONDS = 2;

/**
 * Returns one sample per turn, in order. Base is the reference, head the ranked server. A sample has a thousandth of
 * the raw windows' size, so memory and log do not grow with all latencies.
 */
export function samplesOf(round: Round, referenceOf: (cell: string) => string): RankingSample[] {
	const seconds = round.seconds / Math.max(1, round.cells.length);
	return [...samplesByCell([round], 'main').values()].flatMap((samples) =>
		samples.map((sample): RankingSample => {
			const { cellRound } = sample;
			const [server, scenario] = splitCell(cellRound.cell);
			const { generatorUtilisation, serverUtilisation, cpuShare } = summariseGuards([cellRound], []);
			return {
				server,
				scenario,
				reference: referenceOf(cellRound.cell),
				round: round.round,
				d: differencesOf(sample),
				alone: { server: aloneOf(cellRound, 'head'), reference: aloneOf(cellRound, 'base') },
				guards: {
					generatorUtilisation: generatorUtilisation ?? soloUtilisation(cellRound),
					serverUtilisation,
					cpuShare,
					busy: busyShare([cellRound]),
					...restingOf(cellRound),
				},
				...(cellRound.workers && { workers: cellRound.workers }),
				faults: invalidityOf([sample], 1, { isRanking: true }),
				seconds,
			};
		}),
	);
}

/**
 * If servers are loaded in turn, d is the ratio of all windows' totals, as the requests per second beside it; rare
 * stops count in full, however short the windows.
 */
function differencesOf({ cellRound, d }: Sample): Differences {
	return cellRound.design === 'alternating' ? roundDifferences(cellRound, Number.POSITIVE_INFINITY) : d;
}

function restingOf({ windows }: CellRound): Pick<RankingSample['guards'], 'resting'> {
	const usedBy = (side: Side): Fraction | null => {
		const during = sideOf(windows, otherSide(side));
		const used = during.flatMap(({ restingCpuSeconds }) => restingCpuSeconds ?? []);
		const { seconds } = poolTotals(during);
		return used.length < during.length || seconds === 0 ? null : sum(used) / seconds;
	};
	const isKnown = windows.some(({ base }) => base?.restingCpuSeconds !== undefined);
	return isKnown ? { resting: { server: usedBy('head'), reference: usedBy('base') } } : {};
}

function soloUtilisation({ windows }: CellRound): Fraction | null {
	const solo = windows.filter(({ kind }) => kind === 'solo').map(({ generatorUtilisation }) => generatorUtilisation);
	return solo.length === 0 ? null : Math.max(...solo);
}

function splitCell(id: string): readonly [server: string, scenario: string] {
	const at = id.indexOf('/');
	return [id.slice(0, at), id.slice(at + 1)];
}

function aloneOf(cellRound: CellRound, side: Side): AloneFigures | null {
	const windows = cellRound.windows.filter((window) => isAlone(window, side));
	const pooled = poolSide(cellRound, windows, side);
	// Starts are measured without windows of a side alone.
	const isBare = pooled.start !== null && cellRound.windows.every(({ kind }) => kind === 'duet');
	if (pooled.totals.completed === 0 && !isBare) return null;
	const figure = (metric: MetricName): readonly [MetricName, number | null] => {
		const raw = figureOf(metric, pooled);
		return [metric, raw === null ? null : raw * METRICS[metric].scale];
	};
	return {
		metrics: Object.fromEntries(METRIC_NAMES.map(figure)),
		latency: latencyOf(pooled.latency),
		bytesPerSecond: isBare ? 0 : pooled.totals.bytes / pooled.totals.seconds,
		...ratesOf(secondsOf(sideOf(windows, side))),
		...stepsOf(sideOf(windows, side)),
		totals: {
			...totalsOf(pooled),
			...timeoutsOf(sideOf(windows, side)),
			...resentOf(sideOf(windows, side)),
			...statusesOf(sideOf(windows, side)),
		},
	};
}

/** Some drivers do not count statuses. */
function statusesOf(parts: readonly WindowSide[]): Pick<LoadTotals, 'statuses'> {
	const statuses = addStatuses(parts.map((part) => part.statuses));
	return Object.keys(statuses).length > 0 ? { statuses } : {};
}

function timeoutsOf(parts: readonly WindowSide[]): Pick<LoadTotals, 'timeouts'> {
	const timeoutCounts = parts.flatMap(({ timeouts }) => timeouts ?? []);
	return parts.length > 0 && timeoutCounts.length === parts.length ? { timeouts: sum(timeoutCounts) } : {};
}

function resentOf(parts: readonly WindowSide[]): Pick<LoadTotals, 'resent'> {
	const resent = sum(parts.map((part) => part.resent ?? 0));
	return resent > 0 ? { resent } : {};
}

function totalsOf({ totals: { completed, bytes, seconds, errors, unexpected } }: PooledSide): LoadTotals {
	return { requests: completed, bytes, seconds, errors, unexpected };
}

/** The rates of full seconds: slices of a long window, else joined windows. */
function secondsOf(parts: readonly WindowSide[]): NonNullable<WindowSide['perSecond']> {
	const rates = parts.flatMap(({ perSecond }) => perSecond ?? []);
	if (rates.length > 0 || parts.length < 2) return rates;
	const seconds: { requests: number; bytes: number }[] = [];
	let open = poolTotals([]);
	for (const part of parts) {
		open = poolTotals([open, part]);
		if (open.seconds < WHOLE_SECOND) continue;
		seconds.push({ requests: open.completed / open.seconds, bytes: open.bytes / open.seconds });
		open = poolTotals([]);
	}
	return seconds.length < FEWEST_SECONDS ? [] : seconds;
}

function ratesOf(seconds: NonNullable<WindowSide['perSecond']>): Pick<AloneFigures, 'rates'> {
	if (seconds.length === 0) return {};
	const figuresOf = (each: readonly number[]): RateFigures => ({ ...rateFigures(each), each });
	const requests = figuresOf(seconds.map((one) => one.requests));
	return { rates: { requests, bytes: figuresOf(seconds.map((one) => one.bytes)) } };
}

/** Only solo windows have stages, one per side and round. */
function stepsOf(parts: readonly WindowSide[]): Pick<AloneFigures, 'steps'> {
	const windowSteps = parts.flatMap(({ steps }) => steps ?? []);
	if (windowSteps.length === 0) return {};
	return {
		steps: windowSteps.map(({ connections, seconds, completed, latency }) => {
			const figures = latencyOf(latency);
			return { connections, throughput: completed / seconds, p50: figures?.p50 ?? null, p99: figures?.p99 ?? null };
		}),
	};
}

function latencyOf(histogram: LatencyHistogram): LatencyFigures | null {
	const at = (p: number): number => (histogramQuantile(histogram, p) ?? 0) * MS_PER_US;
	const count = histogram.reduce((sum, [, answers]) => sum + answers, 0);
	if (count === 0) return null;
	const centre = histogram.reduce((sum, [value, answers]) => sum + value * answers, 0) / count;
	const variance = histogram.reduce((sum, [value, answers]) => sum + answers * (value - centre) ** 2, 0) / count;
	return {
		mean: centre * MS_PER_US,
		p2_5: at(0.025),
		p50: at(0.5),
		p75: at(0.75),
		p90: at(0.9),
		p95: at(0.95),
		p99: at(0.99),
		p99_9: at(0.999),
		max: at(1),
		p97_5: at(0.975),
		sd: Math.sqrt(variance) * MS_PER_US,
	};
}

import { invalidityOf } from '../judge/guard-warnings.ts';
import { samplesByCell } from '../judge/looks/samples.ts';
import { figureOf, poolSide } from '../stats/figures.ts';
import { busyShare, summariseGuards } from '../stats/guards/guards.ts';
import { histogramQuantile } from '../stats/histogram.ts';
import type { AloneFigures, LatencyFigures, MeasureSample } from '../types/measure.ts';
import { METRIC_NAMES, METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound, LatencyHistogram, Round } from '../types/round.ts';
import { otherSide, type Side } from '../types/units.ts';

const MS_PER_US = 1 / 1000;

/**
 * Returns what each turn of a round says, in order: a thousandth of the raw windows, so that neither memory nor file grows with the
 * latencies of every window. Base is the reference, head the server that is ranked.
 */
export function samplesOf(round: Round, referenceOf: (cell: string) => string): MeasureSample[] {
	const seconds = round.seconds / Math.max(1, round.cells.length);
	return [...samplesByCell([round], 'main').values()].flatMap((samples) =>
		samples.map((sample): MeasureSample => {
			const { cellRound, d } = sample;
			const [server, scenario] = splitCell(cellRound.cell);
			const { generatorUtilisation, serverUtilisation, cpuShare } = summariseGuards([cellRound], []);
			return {
				server,
				scenario,
				reference: referenceOf(cellRound.cell),
				round: round.round,
				d,
				alone: { server: aloneOf(cellRound, 'head'), reference: aloneOf(cellRound, 'base') },
				guards: { generatorUtilisation, serverUtilisation, cpuShare, busy: busyShare([cellRound]) },
				faults: invalidityOf([sample], 1),
				seconds,
			};
		}),
	);
}

/** Returns server and scenario of a cell's id. */
export function splitCell(id: string): readonly [server: string, scenario: string] {
	const at = id.indexOf('/');
	return [id.slice(0, at), id.slice(at + 1)];
}

/** What a side did in the windows in which it alone was loaded; null where there was none with an answer. */
function aloneOf(cellRound: CellRound, side: Side): AloneFigures | null {
	const windows = cellRound.windows.filter((window) => window.kind === 'solo' && window[otherSide(side)] === null);
	const pooled = poolSide(cellRound, windows, side);
	if (pooled.totals.completed === 0) return null;
	const figure = (metric: MetricName): readonly [MetricName, number | null] => {
		const raw = figureOf(metric, pooled);
		return [metric, raw === null ? null : raw * METRICS[metric].scale];
	};
	return {
		metrics: Object.fromEntries(METRIC_NAMES.map(figure)),
		latency: latencyOf(pooled.latency),
		bytesPerSecond: pooled.totals.bytes / pooled.totals.seconds,
	};
}

function latencyOf(histogram: LatencyHistogram): LatencyFigures | null {
	const at = (p: number): number => (histogramQuantile(histogram, p) ?? 0) * MS_PER_US;
	const count = histogram.reduce((sum, [, answers]) => sum + answers, 0);
	if (count === 0) return null;
	const total = histogram.reduce((sum, [value, answers]) => sum + value * answers, 0);
	return {
		mean: (total / count) * MS_PER_US,
		p2_5: at(0.025),
		p50: at(0.5),
		p75: at(0.75),
		p90: at(0.9),
		p95: at(0.95),
		p99: at(0.99),
		p99_9: at(0.999),
		max: at(1),
	};
}

import { METRIC_NAMES, METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound } from '../types/round.ts';
import type { Sides } from '../types/units.ts';
import { figureOf, poolSide, totalsFigure } from './figures.ts';
import { hodgesLehmann } from './signed-rank.ts';
import { countedWindows, FEWEST_RESPONSES, pairWindows, poolPairs, type Totals } from './windows.ts';

/** d of one round by metric: signed log ratio of head to base, negative is worse; null if unavailable. */
export type Differences = Readonly<Record<MetricName, number | null>>;

/**
 * Returns a round's d by metric. A metric per window is the Hodges–Lehmann estimate over the log ratios x_w = ln head −
 * ln base, with the sign turned if lower is better. Windows are pooled to at least `fewest` answers per side (infinity:
 * one ratio of totals). A metric per turn is one log ratio. Source: docs/statistics.md, "The sample is the round".
 */
export function roundDifferences(cellRound: CellRound, fewest = FEWEST_RESPONSES): Differences {
	const pairs = pairWindows(cellRound);
	const windows = countedWindows(cellRound);
	const [base, head] = [poolSide(cellRound, windows, 'base'), poolSide(cellRound, windows, 'head')];
	const differences = METRIC_NAMES.map((metric) => {
		const isWindowed = METRICS[metric].source.per === 'window';
		const ofTurn = () => signedLogRatio(metric, { base: figureOf(metric, base), head: figureOf(metric, head) });
		return [metric, isWindowed ? centreOf(metric, pairs, fewest) : ofTurn()];
	});
	return Object.fromEntries(differences);
}

/** Returns x_w of throughput for each window pair, unpooled; null if a side answered nothing. */
export function windowLogRatios(cellRound: CellRound): readonly (number | null)[] {
	return pairWindows(cellRound).map((pair) => pairLogRatio('throughput', pair));
}

/** If any window is too short for the CPU clock, one ratio over all windows counts. */
function centreOf(metric: MetricName, pairs: readonly Sides<Totals>[], fewest: number): number | null {
	const ratiosOf = (answers: number) => poolPairs(pairs, answers).map((pair) => pairLogRatio(metric, pair));
	const ratios = ratiosOf(fewest);
	if (ratios.length === 0) return null;
	if (ratios.includes(null)) return ratiosOf(Number.POSITIVE_INFINITY)[0] ?? null;
	return hodgesLehmann(ratios as readonly number[]);
}

function pairLogRatio(metric: MetricName, { base, head }: Sides<Totals>): number | null {
	return signedLogRatio(metric, { base: totalsFigure(metric, base), head: totalsFigure(metric, head) });
}

function signedLogRatio(metric: MetricName, { base, head }: Readonly<Sides<number | null>>): number | null {
	if (!base || !head) return null;
	return METRICS[metric].better === 'higher' ? Math.log(head) - Math.log(base) : Math.log(base) - Math.log(head);
}

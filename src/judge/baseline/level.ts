/** The level of a row in a baseline, and its spread in earlier ones. */
import { locationOf, reachOf, standardErrorOf } from '../../stats/location.ts';
import { lag1Correction, lag1Of } from '../../stats/moments.ts';
import { type Spread, spreadWith } from '../../stats/pooled-spread.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { isOfServer, type MetricName } from '../../types/metric.ts';
import type { Cell } from '../../types/plan.ts';
import type { Fraction } from '../../types/units.ts';
import { judgeSamples } from '../judging-metric.ts';
import type { RunSoFar } from '../looks/run-so-far.ts';

/** Only this many of the latest runs count, because machines change. */
const LATEST = 20;

/** Log ratios of the commit against the anchor, negative is worse. */
export interface Level {
	readonly cell: string;
	readonly metric: MetricName;
	readonly judgedBy: MetricName;
	readonly rounds: number;
	/** Null, like `se`, `low` and `high`, if there are no rounds or the spread is unknown. */
	readonly theta: number | null;
	/** Standard error: pooled over runs, corrected for correlated rounds. */
	readonly se: number | null;
	/** Ends of the 95 % interval. */
	readonly low: number | null;
	readonly high: number | null;
	/** Standard deviation of the rounds of this run; null below two rounds. */
	readonly roundSd: number | null;
	readonly lag1: number | null;
}

/** Spreads of earlier runs on the same kind of machine, latest first. */
export type EarlierSpreads = (row: {
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	readonly judgedBy: MetricName;
}) => readonly Spread[];

/**
 * Returns the level of `metric` of `cell`, centred as in a comparison. Its standard error is s/√n, with s pooled over
 * earlier runs: ten rounds give their spread only to within a quarter, so a run calm by chance would claim too much.
 */
export function levelOf(cell: Cell, metric: MetricName, run: RunSoFar, earlier: EarlierSpreads): Level {
	const samples = isOfServer(metric) ? run.starts(cell.server) : run.samples(cell.id, 'main');
	const { by: judgedBy } = judgeSamples(metric, samples, run.plan.design);
	const d = samples.flatMap((sample) => sample.d[judgedBy] ?? []);
	const location = locationOf(d);
	const rowSpread = location && location.df > 0 ? { sd: location.sd, df: location.df } : null;
	const pooled = spreadWith(rowSpread, earlier({ server: cell.server, scenario: cell.scenario, metric, judgedBy }));
	const commonFields = {
		cell: cell.id,
		metric,
		judgedBy,
		rounds: d.length,
		roundSd: rowSpread?.sd ?? null,
		lag1: lag1Of(d),
	};
	if (!location || !pooled) return { ...commonFields, theta: null, se: null, low: null, high: null };
	const se = standardErrorOf(pooled.sd, d.length, lag1Correction(run.lag1(judgedBy)));
	const reach = reachOf({ se, df: pooled.df });
	return { ...commonFields, theta: location.centre, se, low: location.centre - reach, high: location.centre + reach };
}

/** Whether the standard error (0.008 is 0.8 %) is at most `precision`. */
export function isPrecise({ se }: Pick<Level, 'se'>, precision: Fraction): boolean {
	return se !== null && se <= precision;
}

/** Returns the spreads in the latest records of the same kind of machine, whichever their anchor. */
export function spreadsIn(records: readonly BaselineRecord[], environmentId: string): EarlierSpreads {
	const alike = records
		.filter((record) => record.environmentId === environmentId)
		.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
	return ({ server, scenario, metric, judgedBy }) => {
		const rows = alike.flatMap(({ cells }) =>
			cells.filter(
				(cell) =>
					cell.server === server &&
					cell.scenario === scenario &&
					cell.metric === metric &&
					cell.judgedBy === judgedBy &&
					cell.roundSd !== null,
			),
		);
		return rows.slice(0, LATEST).map(({ roundSd, rounds }) => ({ sd: roundSd as number, df: rounds - 1 }));
	};
}

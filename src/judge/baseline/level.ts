/** The level of a row in a baseline, and how much it varied in earlier ones. */
import { locationOf, reachOf, standardErrorOf } from '../../stats/location.ts';
import { lag1Correction, lag1Of } from '../../stats/moments.ts';
import { type Spread, spreadWith } from '../../stats/pooled-spread.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { isOfServer, type MetricName } from '../../types/metric.ts';
import type { Cell } from '../../types/plan.ts';
import type { Fraction } from '../../types/units.ts';
import { judgeSamples } from '../judging-metric.ts';
import type { RunSoFar } from '../looks/run-so-far.ts';

/** Latest runs whose spread counts: what a machine was like a year ago says little. */
const LATEST = 20;

/** Where a row's rounds lie: log ratios of the commit against the anchor, negative is worse. */
export interface Level {
	readonly cell: string;
	readonly metric: MetricName;
	readonly judgedBy: MetricName;
	/** Main rounds that entered. */
	readonly rounds: number;
	/** Null without rounds, or while their spread is not known; then all of the next three are null. */
	readonly theta: number | null;
	/** From the spread pooled over runs, after the correction for correlated rounds. */
	readonly se: number | null;
	/** Ends of the 95 % interval. */
	readonly low: number | null;
	readonly high: number | null;
	/** Of this run's rounds alone; null below two. */
	readonly roundSd: number | null;
	readonly lag1: number | null;
}

/** The spread of rounds in earlier runs of a row on the same kind of machine, latest first. */
export type EarlierSpreads = (row: {
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
	readonly judgedBy: MetricName;
}) => readonly Spread[];

/**
 * Returns where `metric` of `cell` stands after the rounds so far. The centre is that of a comparison (the mean, from 9 rounds on
 * Hodges–Lehmann). Its standard error is s/√n, with s from this run and the earlier ones together: a run of ten rounds knows its own
 * spread only to a quarter, and one that happens to look calm would claim too much.
 */
export function levelOf(cell: Cell, metric: MetricName, run: RunSoFar, earlier: EarlierSpreads): Level {
	const samples = isOfServer(metric) ? run.starts(cell.server) : run.samples(cell.id, 'main');
	const { by: judgedBy } = judgeSamples(metric, samples, run.plan.design);
	const d = samples.flatMap((sample) => sample.d[judgedBy] ?? []);
	const location = locationOf(d);
	const own = location && location.df > 0 ? { sd: location.sd, df: location.df } : null;
	const pooled = spreadWith(own, earlier({ server: cell.server, scenario: cell.scenario, metric, judgedBy }));
	const known = { cell: cell.id, metric, judgedBy, rounds: d.length, roundSd: own?.sd ?? null, lag1: lag1Of(d) };
	if (!location || !pooled) return { ...known, theta: null, se: null, low: null, high: null };
	const se = standardErrorOf(pooled.sd, d.length, lag1Correction(run.lag1(judgedBy)));
	const reach = reachOf({ se, df: pooled.df });
	return { ...known, theta: location.centre, se, low: location.centre - reach, high: location.centre + reach };
}

/** Returns whether a level is as precise as asked. `precision` is a standard error in log units: 0.008 is 0.8 %. */
export function isPrecise({ se }: Pick<Level, 'se'>, precision: Fraction): boolean {
	return se !== null && se <= precision;
}

// How much a row varied in earlier baselines on the same kind of machine.

/** Returns the spread of rounds in the latest records of the same kind of machine, whatever they were measured against. */
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

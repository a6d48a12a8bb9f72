import { quantile } from 'simple-statistics';
import { decide } from '../../src/judge/decide.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import type { Fraction, Seconds } from '../../src/types/units.ts';
import type { Decision, RowDecision } from '../../src/types/verdict.ts';
import type { MatrixResult } from '../results.ts';
import type { Series } from '../series.ts';
import { consecutiveRuns, type Finished } from './consecutive-runs.ts';
import {
	drawRuns,
	independentDraws,
	liveSeries,
	longSeries,
	type MatrixRun,
	type Pool,
	poolsOf,
	withThreshold,
} from './matrix-runs.ts';
import { replayOurs } from './ours.ts';
import { plantDrop } from './plant.ts';
import { secondsOf, secondsOfCell } from './rounds.ts';
import { shareOf, wallTimeOf } from './share.ts';

/** Resampled runs for each threshold and number of cells. */
const RUNS = 300;
const SEED = 31;
/** Drops of one cell for which power is computed. */
const DROPS: readonly Fraction[] = [0.05, 0.07, 0.1];
/**
 * Replayed thresholds, each with the fewest rounds of a pool and the most of a run: with fewer, looks would not be
 * those of a run.
 */
const THRESHOLDS = [
	{ threshold: 0.05, fewest: 20, most: 20 },
	{ threshold: 0.02, fewest: 30, most: 68 },
] as const;

/**
 * Returns benchgate's verdicts on whole matrices against themselves: on the live series as they were run, on successive
 * runs within long series, and on runs resampled from the rounds of both in random order, by threshold and number of
 * cells. Of replayed runs `of` counts runs that share rounds; intervals are those of the equivalent number of
 * independent runs, also for rows, because rows of a run share processes. Power is the share of runs in which the one
 * planted row, drawn at random, regressed. Replayed runs have no rounds of alternating windows, so a red that needs
 * them stays inconclusive. `runs` is the number of resampled runs.
 */
export function matrices(series: readonly Series[], runs = RUNS): readonly MatrixResult[] {
	return [...liveMatrices(series), ...consecutiveMatrices(series), ...replayedMatrices(series, runs)];
}

function liveMatrices(series: readonly Series[]): readonly MatrixResult[] {
	const finished = liveSeries(series).flatMap(({ plans, rounds }) => plans.map((plan) => finish(plan, rounds)));
	const groups = Map.groupBy(finished, ({ plan }) => `${plan.cells[0]?.threshold} ${plan.cells.length}`);
	return [...groups.values()].map((group) => summarise('live', group, group.length, []));
}

/** Without a single decided run there is no result, not even the number of runs cut off. */
function consecutiveMatrices(series: readonly Series[]): readonly MatrixResult[] {
	const cuts = longSeries(series).flatMap(({ plans, rounds }) =>
		plans.map((plan) => ({ plan, ...consecutiveRuns(plan, rounds) })),
	);
	const groups = Map.groupBy(cuts, ({ plan }) => `${plan.cells[0]?.threshold} ${plan.cells.length}`);
	return [...groups.values()].flatMap((group) => {
		const runs = group.flatMap(({ finished }) => finished);
		if (runs.length === 0) return [];
		const cutOff = group.filter((cut) => cut.cutOff).length;
		return [{ ...summarise('consecutive', runs, runs.length, []), cutOff }];
	});
}

/** The reason for the end does not change verdicts. */
function finish(plan: Plan, rounds: readonly Round[]): Finished {
	const sofar = decide(plan, rounds, null);
	const open = sofar.undecided.length + sofar.confirm.length > 0;
	return { plan, rounds, decision: open ? decide(plan, rounds, 'rounds') : sofar };
}

function replayedMatrices(series: readonly Series[], runs: number): readonly MatrixResult[] {
	const groups = [...Map.groupBy(poolsOf(series), ({ plan }) => plan.cells.length).values()];
	return THRESHOLDS.flatMap(({ threshold, fewest, most }) =>
		groups.flatMap((group) => {
			const pools = group
				.filter(({ rounds }) => rounds.length >= fewest)
				.map((pool) => withThreshold(pool, threshold, most));
			return pools.length === 0 ? [] : [replayPools(pools, drawRuns(pools, runs, SEED))];
		}),
	);
}

function replayPools(pools: readonly Pool[], runs: readonly MatrixRun[]): MatrixResult {
	const finished = runs.map(({ plan, rounds }) => ({ plan, ...replayOurs(plan, rounds) }));
	const independentOf = (each: readonly { readonly rounds: readonly Round[] }[]) =>
		independentDraws(
			pools,
			each.map(({ rounds }) => rounds.length),
		);
	const power = DROPS.map((drop) => {
		const planted = runs.map(({ plan, rounds, planted: cell }) => {
			const replay = replayOurs(plan, plantDrop(rounds, drop, [cell]), [], cell);
			return { rounds: replay.rounds, red: verdictOf(replay.decision, cell) === 'regressed' };
		});
		return {
			drop,
			red: shareOf(planted.filter(({ red }) => red).length, runs.length, independentOf(planted)),
			seconds: wallTimeOf(planted.map(({ rounds }) => secondsOf(rounds))),
		};
	});
	return summarise('replayed', finished, independentOf(finished), power);
}

function summarise(
	origin: MatrixResult['origin'],
	runs: readonly Finished[],
	independent: number,
	power: MatrixResult['power'],
): MatrixResult {
	const rows = runs.flatMap(({ decision }) => decision.rows);
	const estimated = rows.filter(({ estimate }) => estimate !== null);
	const plan = runs[0]?.plan;
	return {
		origin,
		threshold: plan?.cells[0]?.threshold ?? Number.NaN,
		cells: plan?.cells.length ?? 0,
		runs: runs.length,
		cutOff: 0,
		redGates: shareOf(runs.filter(({ decision }) => decision.gate.outcome === 'fail').length, runs.length, independent),
		verdicts: Object.fromEntries(
			[...Map.groupBy(rows, ({ verdict }) => verdict)].map(([name, all]) => [name, all.length]),
		),
		covered: shareOf(estimated.filter(holdsNothing).length, estimated.length, independent),
		seconds: wallTimeOf(runs.map(({ rounds }) => secondsOf(rounds))),
		secondsPerCell: middleOf(runs.flatMap(secondsOfDecided)),
		power,
	};
}

/** Wall time of each decided cell of a run until its verdict. */
function secondsOfDecided({ decision, rounds }: Finished): readonly Seconds[] {
	const decided = decision.rows.filter(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'invalid');
	return [...new Set(decided.map(({ cell }) => cell))].map((cell) => secondsOfCell(rounds, cell));
}

function middleOf(values: readonly number[]): number {
	return values.length === 0 ? Number.NaN : quantile(values as number[], 0.5);
}

/** Whether the row's interval contains 0. */
function holdsNothing({ estimate }: RowDecision): boolean {
	if (!estimate) return false;
	const { low, high } = estimate.interval;
	return (low === null || low <= 0) && (high === null || high >= 0);
}

function verdictOf({ rows }: Decision, cell: string): RowDecision['verdict'] | undefined {
	return rows.find((row) => row.cell === cell)?.verdict;
}

import { mean } from 'simple-statistics';
import { ALPHA } from '../../src/judge/looks/sequential.ts';
import { roundDifferences } from '../../src/stats/differences.ts';
import { endsOf, type Location } from '../../src/stats/location.ts';
import type { Look } from '../../src/types/plan.ts';
import type { Fraction } from '../../src/types/units.ts';
import type { SharedVariance } from '../results.ts';
import type { Series } from '../series.ts';
import { judgeByT, type Line } from './judge-by-t.ts';
import { drawRuns, independentDraws, type MatrixRun, type Pool, poolsOf, withThreshold } from './matrix-runs.ts';
import { shareOf } from './share.ts';

const RUNS = 300;
const SEED = 53;
const THRESHOLD: Fraction = 0.05;
/** Of a pool; with fewer, looks would not be those of a run. */
const FEWEST_ROUNDS = 20;
const MOST_ROUNDS = 20;
const DROPS: readonly Fraction[] = [0, 0.05, 0.1];

/** One run with a drop in one of its cells. */
interface Judged {
	readonly lines: readonly Line[];
	/** True log ratio of each line. */
	readonly truths: readonly number[];
}

/**
 * Returns the effect of sharing variance across the cells of a matrix: the same runs, resampled from the rounds of long
 * series in random order, judged at a threshold of 5 % by t with and without it, with a drop in one cell drawn at
 * random. Empty without pools of 20 rounds. Of rows and runs `of` counts all, while intervals are those of the
 * equivalent number of independent runs. `runs` is the number of resampled runs.
 */
export function sharedVariance(series: readonly Series[], runs = RUNS): readonly SharedVariance[] {
	const pools = poolsOf(series)
		.filter(({ rounds }) => rounds.length >= FEWEST_ROUNDS)
		.map((pool) => withThreshold(pool, THRESHOLD, MOST_ROUNDS));
	if (pools.length === 0) return [];
	const drawn = drawRuns(pools, runs, SEED).map((run) => ({ run, d: differencesOf(run) }));
	return DROPS.flatMap((drop) =>
		[false, true].map((shared) => {
			const judged = drawn.map(({ run, d }) => judge(run, d, drop, shared));
			return summarise(judged, shared, drop, pools);
		}),
	);
}

/** d of throughput of each cell, in the order of the rounds. */
function differencesOf({ plan, rounds }: MatrixRun): readonly (readonly number[])[] {
	const all = rounds.flatMap((round) => round.cells);
	return plan.cells.map(({ id }) =>
		all.filter(({ cell }) => cell === id).flatMap((cellRound) => roundDifferences(cellRound).throughput ?? []),
	);
}

function judge(
	{ plan, planted }: MatrixRun,
	d: readonly (readonly number[])[],
	drop: Fraction,
	shared: boolean,
): Judged {
	const truths = plan.cells.map(({ id }) => (id === planted ? Math.log1p(-drop) : 0));
	const moved = d.map((values, cell) => values.map((value) => value + (truths[cell] as number)));
	return { lines: judgeByT(plan, moved, shared), truths };
}

function summarise(judged: readonly Judged[], shared: boolean, drop: Fraction, pools: readonly Pool[]): SharedVariance {
	const rows = judged.flatMap(({ lines, truths }) =>
		lines.map((line, index) => ({ ...line, truth: truths[index] as number })),
	);
	const used = judged.map(({ lines }) => Math.max(...lines.map(({ rounds }) => rounds)));
	const independent = independentDraws(pools, used);
	const share = <T>(items: readonly T[], happened: (item: T) => boolean) =>
		shareOf(items.filter(happened).length, items.length, Math.min(independent, items.length));
	const dropped = rows.filter(({ truth }) => truth <= Math.log1p(-THRESHOLD));
	return {
		shared,
		drop,
		runs: judged.length,
		redGates: share(judged, ({ lines }) => lines.some(({ verdict }) => verdict === 'regressed')),
		inconclusiveRows: share(rows, ({ verdict }) => verdict === 'inconclusive'),
		wrongPasses: share(dropped, ({ verdict }) => verdict === 'unchanged' || verdict === 'improved'),
		roundsPerCell: mean(rows.map(({ rounds }) => rounds)),
		covered: share(
			rows.filter(({ location }) => location !== null),
			({ location, look, truth }) => location !== null && look !== null && holds(location, look, truth),
		),
	};
}

/** Whether the interval of the line's last look contains the truth. */
function holds(location: Location, look: Look, truth: number): boolean {
	const { low, high } = endsOf(location, { low: ALPHA * look.weightUnchanged, high: ALPHA * look.weightRegressed });
	return (low === null || low <= truth) && (high === null || high >= truth);
}

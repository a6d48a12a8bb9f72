import { decide } from '../../src/judge/decide.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Fraction } from '../../src/types/units.ts';
import { type RowDecision, VERDICTS, type Verdict } from '../../src/types/verdict.ts';
import { scriptPlan, scriptRound } from '../support/rounds.ts';
import { LAWS, type LawName } from './laws.ts';

/** Most rounds of a run, and the spread of most of its rounds in log units. */
const ROUNDS = 20;
const SPREAD = 0.02;

/** A setting to simulate. */
export interface Trial {
	readonly law: LawName;
	/** True drop of every cell. */
	readonly drop: Fraction;
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
	readonly cells: number;
	/** Share of each round's variance that all cells have in common, 0 when absent. */
	readonly shared?: Fraction;
}

/** Outcomes of many runs. Rows are counted unless a name says otherwise. */
export interface Tally {
	readonly runs: number;
	readonly rows: number;
	readonly verdicts: Readonly<Record<Verdict, number>>;
	/** Runs with a red row. */
	readonly redGates: number;
	/** Rows whose true change lies below, or above, the interval shown. */
	readonly missedBelow: number;
	readonly missedAbove: number;
	/** Mean over rows. */
	readonly rounds: number;
}

/** Default limits: threshold 5 %, tolerance half of it. */
export const USUAL = { threshold: 0.05, tolerance: 0.025 } as const;
/**
 * The tolerance equals the threshold, so the estimate adds no second condition for red: the test of significance has to
 * hold alone.
 */
export const SHARP = { threshold: 0.05, tolerance: 0.05 } as const;

/** Returns the outcomes of `runs` runs of `trial` through `decide`, determined by `seed`. */
export function simulate(trial: Trial, runs: number, seed: number): Tally {
	const random = createRandom(seed);
	const effect = Math.log1p(-trial.drop);
	const plan = planOf(trial);
	const decided = Array.from({ length: runs }, () => {
		const d = drawCells(trial, () => LAWS[trial.law](random, ROUNDS, SPREAD)).map((cell) =>
			cell.map((deviation) => effect + deviation),
		);
		return decide(plan, roundsOf(plan, d), 'rounds').rows;
	});
	const rows = decided.flat();
	const count = (holds: (row: RowDecision) => boolean) => rows.filter(holds).length;
	return {
		runs,
		rows: rows.length,
		verdicts: countVerdicts(rows),
		redGates: decided.filter((some) => some.some((row) => row.verdict === 'regressed')).length,
		missedBelow: count((row) => -trial.drop < (row.estimate?.interval.low ?? Number.NEGATIVE_INFINITY)),
		missedAbove: count((row) => -trial.drop > (row.estimate?.interval.high ?? Number.POSITIVE_INFINITY)),
		rounds: rows.reduce((sum, row) => sum + (row.estimate?.rounds ?? 0), 0) / rows.length,
	};
}

/** Returns a plan of 20 rounds with as many cells as `trial` asks for. */
export function planOf({ cells, threshold, tolerance }: Omit<Trial, 'law' | 'drop'>): Plan {
	const plan = scriptPlan(Array.from({ length: cells }, (_, index) => `cell-${index}`));
	return { ...plan, cells: plan.cells.map((cell) => ({ ...cell, threshold, tolerance })) };
}

/** Returns rounds with these d (one list per cell of `plan`); one window each, as more windows change nothing. */
export function roundsOf(plan: Plan, d: readonly (readonly number[])[]) {
	const length = d[0]?.length ?? 0;
	return Array.from({ length }, (_, index) => {
		const turns = plan.cells.map(({ scenario }, cell) => [scenario, { d: d[cell]?.[index] as number, windows: [0] }]);
		return scriptRound(index + 1, Object.fromEntries(turns));
	});
}

function drawCells({ cells, shared = 0 }: Trial, draw: () => number[]): number[][] {
	const single = Array.from({ length: cells }, draw);
	if (shared === 0) return single;
	const common = draw();
	const [ofCommon, ofOwn] = [Math.sqrt(shared), Math.sqrt(1 - shared)];
	return single.map((cell) => cell.map((value, index) => ofOwn * value + ofCommon * (common[index] as number)));
}

function countVerdicts(rows: readonly RowDecision[]): Record<Verdict, number> {
	const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
	for (const { verdict } of rows) counts[verdict]++;
	return counts;
}

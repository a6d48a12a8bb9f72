import type { MetricName } from '../../types/metric.ts';
import type { Plan } from '../../types/plan.ts';
import type { EndReason, Round } from '../../types/round.ts';
import type { Fraction, Warning } from '../../types/units.ts';
import { decide } from '../decide.ts';
import { invalidityOf } from '../guard-warnings.ts';
import { fewestRounds } from '../looks/row-looks.ts';
import { type RunSoFar, readRun } from '../looks/run-so-far.ts';
import { metricsAt } from '../plan-rows.ts';
import { type EarlierSpreads, isPrecise, type Level, levelOf } from './level.ts';

/** Rounds that every cell of a level gets, however calm earlier runs were: enough to see that this one is not calm. */
export const FEWEST_ROUNDS = 6;
/** Rounds that every cell of a link gets: all levels of the era rest on it. */
export const LINK_ROUNDS = 24;
/** No cell gets more, whatever the budget: beyond it a run is too noisy to be worth its time. */
export const MOST_ROUNDS = 200;
/** Rounds come in blocks of two that mirror each other, so only an even number is balanced (`planRound`). */
const BLOCK = 2;

/** When a cell has been measured enough. */
export interface PrecisionRule {
	/** Largest standard error of the row that counts, in log units. */
	readonly precision: Fraction;
	/** Rounds below which no cell is done. */
	readonly fewest: number;
	readonly earlier: EarlierSpreads;
}

/** What is known of a baseline's rows, and which cells go on. */
export interface PrecisionDecision {
	readonly levels: readonly Level[];
	readonly undecided: readonly string[];
	readonly confirm: readonly string[];
}

/**
 * Returns which cells need more rounds: those whose standard error is above `precision`, in the metric that the gate names first,
 * throughput before all. Cells without a row of that metric get the fewest rounds; cells that broke are done. What must be
 * confirmed with alternating windows, so that the verdict is that of a comparison, comes after all others, when it can no longer
 * take rounds from a level.
 *
 * Rounds must not end on a verdict, or on anything else that knows where the rounds lie: a run that goes on until it looks decided
 * stops when noise has carried it far, so its level would be too extreme. What is asked here is the number of rounds and their
 * spread, which stay the same when all rounds are mirrored at the true level; whatever such a rule stops on, an estimate that
 * mirrors with its rounds is as likely too high as too low. test/simulation/baseline-level.slow.test.ts holds it to that.
 */
export function decidePrecision(
	plan: Plan,
	rounds: readonly Round[],
	ended: EndReason | null,
	rule: PrecisionRule,
): PrecisionDecision {
	const run = readRun(plan, rounds)(rounds.length, ended);
	const broken = plan.cells.map(({ id }) => id).filter((id) => faultsOf(id, run).length > 0);
	const levels = plan.cells.flatMap((cell) =>
		metricsAt(cell, plan).map((metric) => levelOf(cell, metric, run, rule.earlier)),
	);
	const counting = countingMetric(plan);
	const isDone = (cell: string) => {
		if (broken.includes(cell)) return true;
		const measured = run.measured(cell);
		if (measured < rule.fewest || measured % BLOCK !== 0) return false;
		const level = levels.find((one) => one.cell === cell && one.metric === counting);
		// A metric that this machine cannot measure would be waited for in vain. A cell whose rows are all of other metrics has had its rounds.
		return level === undefined || level.rounds === 0 || isPrecise(level, rule.precision);
	};
	const asked = new Set(levels.map(({ cell }) => cell));
	const undecided = [...asked].filter((cell) => !isDone(cell));
	return { levels, undecided, confirm: undecided.length > 0 ? [] : decide(plan, rounds, ended).confirm };
}

/** Returns why the numbers of a cell mean nothing: a side crashed or answered wrong, in whatever round. None when they do. */
export function faultsOf(cell: string, run: RunSoFar): readonly Warning[] {
	return invalidityOf(run.allSamples(cell), fewestRounds(run));
}

/** Returns the metric whose precision counts: throughput where it is gated, else the first of the gate. */
export function countingMetric({ metrics }: Pick<Plan, 'metrics'>): MetricName {
	return metrics.includes('throughput') ? 'throughput' : (metrics[0] ?? 'throughput');
}

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

/** Fewest rounds of a cell, even if earlier runs were calm: enough to see that this run is noisy. */
export const FEWEST_ROUNDS = 6;
/** Rounds of a link. All levels of the era rest on them. */
export const LINK_ROUNDS = 24;
/** Most rounds under any budget. It is not worth measuring a noisier run. */
export const MOST_ROUNDS = 200;
/** Only an even number of rounds is balanced (`planRound`). */
const BLOCK = 2;

export interface PrecisionRule {
	/** Largest standard error, in log units. */
	readonly precision: Fraction;
	readonly fewest: number;
	readonly earlier: EarlierSpreads;
}

export interface PrecisionDecision {
	readonly levels: readonly Level[];
	readonly undecided: readonly string[];
	readonly confirm: readonly string[];
}

/**
 * Returns the cells whose standard error in the counting metric is above `precision`. Cells without a row of that
 * metric get the fewest rounds; broken cells are done. Confirmations come last.
 *
 * Verdicts and the centre of the rounds must not decide when to stop, because noise often carries them
 * (docs/decisions/0037-baselines-end-on-precision.md).
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
		// The machine cannot measure the metric, or the cell has only rows of other metrics.
		return level === undefined || level.rounds === 0 || isPrecise(level, rule.precision);
	};
	const levelCells = new Set(levels.map(({ cell }) => cell));
	const undecided = [...levelCells].filter((cell) => !isDone(cell));
	return { levels, undecided, confirm: undecided.length > 0 ? [] : decide(plan, rounds, ended).confirm };
}

export function faultsOf(cell: string, run: RunSoFar): readonly Warning[] {
	return invalidityOf(run.allSamples(cell), fewestRounds(run));
}

export function countingMetric({ metrics }: Pick<Plan, 'metrics'>): MetricName {
	return metrics.includes('throughput') ? 'throughput' : (metrics[0] ?? 'throughput');
}

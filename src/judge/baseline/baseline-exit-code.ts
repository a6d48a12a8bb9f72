import type { BaselineRun } from '../../types/baseline.ts';
import type { DriftPolicy } from '../../types/config.ts';
import { EXIT } from '../../types/errors.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { Fraction } from '../../types/units.ts';
import { isDrifted } from './drift.ts';

/** What drift means for a run. */
export interface DriftRule {
	readonly policy: DriftPolicy;
	/** A drop since the anchor of this or more is drift. */
	readonly threshold: Fraction;
}

/**
 * Returns the exit code of a baseline: 130 when it was cut off, 3 when nothing could be measured, 0 else. The branch being slower
 * fails nothing by itself: what is merged is merged, and a job that is red until the next release is soon looked at by nobody.
 * Who wants it red enforces the drift limit: 1 when a row is beyond it.
 */
export function baselineExitCode(run: BaselineRun, rule: DriftRule): number {
	if (run.interrupted) return EXIT.interrupted;
	if (!run.unchanged && !hasFigures(run)) return EXIT.nothingMeasured;
	return rule.policy === 'enforce' && driftOf(run, rule).length > 0 ? EXIT.gateFailed : EXIT.passed;
}

export function driftOf({ rows }: Pick<BaselineRun, 'rows'>, { threshold }: DriftRule): readonly MainRow[] {
	return rows.filter(({ theta, high, settled = true }) => isDrifted({ theta, high, settled }, threshold));
}

function hasFigures({ records }: BaselineRun): boolean {
	return records.some(({ purpose, cells }) => purpose === 'level' && cells.some(({ theta }) => theta !== null));
}

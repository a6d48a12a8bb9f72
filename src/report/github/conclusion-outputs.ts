import { redKindOf } from '../../judge/gate-row.ts';
import type { Conclusion, Consequence } from '../../types/action-run.ts';
import type { CellResult } from '../../types/result.ts';
import type { Verdict } from '../../types/verdict.ts';
import { orderCells, spanOf } from '../compare/rows.ts';

/** Outputs of the action that say what was decided. All are strings: that is all a workflow can read. */
export interface OutcomeOutputs {
	readonly outcome: string;
	/** Numbers of rows with the verdict, `0` when nothing was compared. */
	readonly regressed: string;
	readonly improved: string;
	readonly inconclusive: string;
	readonly invalid: string;
	/** Of the invalid rows, those that head alone broke. */
	readonly broken: string;
	/** Rows of base that are gone in head. */
	readonly removed: string;
	/**
	 * Change of the row the headline calls worst, as a fraction in which negative is worse whatever the metric (`-0.061`: 6.1 %
	 * less throughput, or what that much more cost per request means); empty when no row has an estimate.
	 */
	readonly 'worst-change': string;
}

/** Returns the outputs of a conclusion. */
export function outputsOf(conclusion: Conclusion, consequence: Consequence): OutcomeOutputs {
	const cells = conclusion.kind === 'compared' ? conclusion.result.cells : [];
	const count = (verdict: Verdict): string => `${cells.filter((cell) => cell.verdict === verdict).length}`;
	return {
		outcome: consequence.outcome,
		regressed: count('regressed'),
		improved: count('improved'),
		inconclusive: count('inconclusive'),
		invalid: count('invalid'),
		broken: `${cells.filter((cell) => redKindOf(cell) === 'broken').length}`,
		removed: count('removed'),
		'worst-change': worstChange(cells),
	};
}

function worstChange(cells: readonly CellResult[]): string {
	const regressed = cells.filter((cell) => cell.verdict === 'regressed');
	const candidates = regressed.length > 0 ? regressed : cells;
	const changes = orderCells(candidates).flatMap((cell) => spanOf(cell)?.mid ?? []);
	if (changes.length === 0) return '';
	return `${Number(Math.min(...changes).toFixed(4)) + 0}`;
}

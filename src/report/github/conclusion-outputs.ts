import { redKindOf } from '../../judge/gate-row.ts';
import type { Conclusion, Consequence } from '../../types/action-run.ts';
import type { CellResult } from '../../types/result.ts';
import type { Verdict } from '../../types/verdict.ts';
import { orderCells, spanOf } from '../compare/rows.ts';

/** The action's outputs about the decision. Strings, because workflows read no other type. */
export interface OutcomeOutputs {
	readonly outcome: string;
	/** Number of rows by verdict; `0` if nothing was compared. */
	readonly regressed: string;
	readonly improved: string;
	readonly inconclusive: string;
	readonly invalid: string;
	/** Number of invalid rows that head alone broke. */
	readonly broken: string;
	readonly removed: string;
	/**
	 * Change of the worst row, which the headline names. A fraction, negative is worse in every metric (`-0.061`: 6.1 %
	 * less throughput, or a corresponding cost per request). Empty without an estimate.
	 */
	readonly 'worst-change': string;
}

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

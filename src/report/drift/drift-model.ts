import { signedLogOf } from '../../stats/estimate.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval, INTERVAL_95 } from '../../text/numbers.ts';
import type { Phrase } from '../../text/phrase.ts';
import type { Audience } from '../compare/audience.ts';
import { CELL, type Column, column } from '../compare/columns.ts';
import { labelOf, type Row } from '../compare/rows.ts';
import { branchOf, type DriftRow, driftRows, formatDriftLimit, shownAddition } from './drift-rows.ts';
import { describeRowDrift, isTold } from './drift-words.ts';
import { drawHistory } from './history-line.ts';

/** What a report says of the baselines of main. */
export interface DriftReport {
	/** One for each row that is below its anchor, worst first. */
	readonly lines: readonly Phrase[];
	/** Every row that baselines know, worst first. */
	readonly rows: readonly DriftRow[];
	/** What the branch is called; harmless, not yet escaped. */
	readonly branch: string;
	readonly columns: readonly Column<DriftRow>[];
}

/** Lines that stand before what folds; the table has all rows. */
export const MOST_LINES = 5;

/** How to read the table. */
export const DRIFT_NOTE =
	'Each bar is a commit of the branch against the anchor, oldest first, at most 30. A lower bar is slower. The interval holds for all rows together. Without a significant change in head: –. Allowed: drift-threshold.';

/** Column with the history of a row; what draws pictures replaces its text. */
export const HISTORY: Column<DriftRow> = {
	label: 'baselines',
	format: (row) => [{ code: drawHistory(levelsOf(row)) }],
	align: 'left',
};

/** Returns what there is to say of drift; nothing in any of it where no baseline is known. */
export function buildDriftReport(rows: readonly Row[], audience: Audience): DriftReport {
	const known = driftRows(rows);
	const [first] = known;
	return {
		lines: known.filter(isTold).map((row) => describeRowDrift(row, audience)),
		rows: known,
		branch: first ? branchOf(first.drift) : '',
		columns: columnsFor(known),
	};
}

/** Returns the history of a row as log ratios, negative is worse. */
export function levelsOf({ row, drift }: DriftRow): readonly number[] {
	return drift.history.map((change) => signedLogOf(row.cell.metric, change));
}

function columnsFor(rows: readonly DriftRow[]): readonly Column<DriftRow>[] {
	const metric = column<DriftRow>('metric', ({ row }) => labelOf(row.cell.metric), 'left');
	const only = rows.every(({ row }) => row.cell.metric === 'throughput');
	return [
		{ ...CELL, format: ({ row }) => CELL.format(row) },
		...(only ? [] : [metric]),
		HISTORY,
		{ label: 'since', format: ({ drift }) => [{ code: plainText(drift.anchor, NAME_LIMIT) }], align: 'left' },
		column(
			'so far',
			({ drift }) => `${formatChange(drift.main.change)}${drift.verdict === 'unsettled' ? ' (not settled)' : ''}`,
		),
		column(INTERVAL_95, ({ drift }) => formatInterval(drift.main)),
		column('head', (row) => formatChange(shownAddition(row))),
		column('together', (row) => formatChange(shownAddition(row) === null ? null : row.drift.total)),
		column('allowed', formatDriftLimit),
	];
}

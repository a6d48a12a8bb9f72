import { plainText } from '../../text/escape.ts';
import type { Phrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import type { Audience } from './audience.ts';
import { buildDriftReport, type DriftReport } from './drift-model.ts';
import { collectFootnotes, type Footnote } from './footnotes.ts';
import { faultTold, type Headline, writeHeadline } from './headline.ts';
import { chooseScale, type Scale } from './interval-picture.ts';
import { describeSides } from './links.ts';
import { type ContextLine, changedPackages, describeBriefly, describeContext } from './report-context.ts';
import { isTelling, type MetricRow, orderCells, otherMetrics, type Row, redFirst, rowOf } from './rows.ts';

/** In characters; only the JSON has a longer command. */
export const COMMAND_LIMIT = 1000;

export interface Report {
	readonly headline: Headline;
	readonly sides: Phrase;
	/** Rows except those that are `unchanged` or `same-code`, red ones first. */
	readonly matters: readonly Row[];
	readonly rows: readonly Row[];
	readonly metrics: readonly MetricRow[];
	readonly drift: DriftReport;
	/** Ids of explained cells. */
	readonly explained: ReadonlySet<string>;
	readonly context: readonly ContextLine[];
	readonly brief: readonly ContextLine[];
	readonly footnotes: readonly Footnote[];
	readonly changedPackages: (row: Row) => readonly string[];
	readonly scale: Scale;
	/** Null if too long. */
	readonly reproduce: string | null;
}

export function buildReport(result: Result, audience: Audience = {}): Report {
	const cells = orderCells(result.cells);
	const faultMessage = faultTold(
		result,
		cells.map((cell) => rowOf(cell, [])),
	);
	const { notes, numbersOf } = collectFootnotes(cells, result, faultMessage);
	const rows = cells.map((cell) => rowOf(cell, numbersOf(cell)));
	const command = plainText(result.reproduce, COMMAND_LIMIT);
	return {
		headline: writeHeadline(result, rows, audience),
		sides: describeSides(result, audience),
		matters: redFirst(rows.filter(isTelling)),
		changedPackages: (row) => changedPackages(result, row.cell.server),
		rows,
		metrics: rows.flatMap(otherMetrics),
		drift: buildDriftReport(rows, audience),
		explained: new Set(audience.explanation?.rows.map(({ server, scenario }) => `${server}/${scenario}`)),
		context: describeContext(result, rows, audience),
		brief: describeBriefly(result, rows),
		footnotes: notes,
		scale: chooseScale(
			rows.flatMap((row) => row.span ?? { low: null, mid: 0, high: null, threshold: row.cell.threshold }),
		),
		reproduce: command.endsWith('…') ? null : command,
	};
}

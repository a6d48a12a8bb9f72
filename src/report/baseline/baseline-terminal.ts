/** A baseline for a terminal. */
import pc from 'picocolors';
import { proseWidth, wrapText } from '../../text/wrap.ts';
import type { BaselineRun } from '../../types/baseline.ts';
import { fitTable, hang, plain, tableText } from '../worded-table.ts';
import { buildBaselineReport } from './baseline-model.ts';
import type { BaselineStanding } from './baseline-words.ts';

const INDENT = 2;
const GAP = '  ';

/** What a narrow terminal does without, first to go first. */
const SPARE_COLUMNS: readonly string[] = ['CPU per request', 'rounds', 'standard error', 'requests/s', 'metric'];

const COLOURS: Readonly<Record<BaselineStanding, 'green' | 'red' | 'yellow' | 'blue'>> = {
	below: 'red',
	above: 'blue',
	unsure: 'yellow',
	level: 'green',
	unchanged: 'green',
	broken: 'red',
	interrupted: 'yellow',
};

/** Returns what a baseline came to as lines for a terminal, without a final line feed; the first says where the branch stands. */
export function renderBaselineReport(
	run: BaselineRun,
	options: { readonly colour: boolean; readonly width: number },
): string {
	const colours = pc.createColors(options.colour);
	const prose = proseWidth(options.width);
	const report = buildBaselineReport(run);
	const word = report.title.toUpperCase();
	const [first = '', ...rest] = wrapText(plain(report.summary), prose, word.length + GAP.length);
	const next = report.next === null ? [] : wrapText(`Next: ${plain(report.next)}`, prose, INDENT);
	const painted = `${colours.bold(colours[COLOURS[report.standing]](word))}${GAP}${first.trimStart()}`;
	const sections = [
		[painted, ...rest, ...next].join('\n'),
		...report.tables.map((table) => tableText(fitTable(table, SPARE_COLUMNS, options.width), colours, prose)),
		report.facts.map(({ label, value }) => hang(`${label}: ${plain(value)}`, prose)).join('\n'),
		report.notes.map((note) => hang(plain(note), prose)).join('\n'),
		report.reproduce === null ? '' : `Repeat it:\n  ${report.reproduce}`,
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

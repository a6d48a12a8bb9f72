/** A baseline for a terminal. */
import pc from 'picocolors';
import { proseWidth, wrapText } from '../text/wrap.ts';
import type { BaselineRun } from '../types/baseline.ts';
import { REFERENCE_SERVER } from '../types/shared-names.ts';
import { type BaselineTable, buildBaselineReport } from './baseline-model.ts';
import type { BaselineStanding } from './baseline-words.ts';
import { fence, fold, writeMarkdown } from './compare/markdown.ts';
import { fitTable, hang, plain, tableMarkdown, tableText, type WordedTable } from './worded-table.ts';

const EMOJI: Readonly<Record<BaselineStanding, string>> = {
	below: '❌',
	above: '🔼',
	unsure: '🟡',
	unsettled: '🟡',
	level: '✅',
	unchanged: '✅',
	broken: '⚠️',
	interrupted: '🟡',
};

const INDENT = 2;
const GAP = '  ';

/**
 * Columns that a narrow terminal drops, in order. Precision matters more than the figures of this machine and hour.
 */
const SPARE_COLUMNS = ['CPU per request', 'requests/s', 'rounds', 'standard error'];
const METRIC = 'metric';

const COLOURS: Readonly<Record<BaselineStanding, 'green' | 'red' | 'yellow' | 'blue'>> = {
	below: 'red',
	above: 'blue',
	unsure: 'yellow',
	unsettled: 'yellow',
	level: 'green',
	unchanged: 'green',
	broken: 'red',
	interrupted: 'yellow',
};

/** Returns lines for a terminal without a final line feed, the standing first. */
export function renderBaselineReport(
	run: BaselineRun,
	options: { readonly colour: boolean; readonly width: number },
): string {
	const colours = pc.createColors(options.colour);
	const prose = proseWidth(options.width);
	const report = buildBaselineReport(run);
	const word = report.title.toUpperCase();
	const [first = '', ...otherLines] = wrapText(plain(report.summary), prose, word.length + GAP.length);
	const next = report.next === null ? [] : wrapText(`Next: ${plain(report.next)}`, prose, INDENT);
	const painted = `${colours.bold(colours[COLOURS[report.standing]](word))}${GAP}${first.trimStart()}`;
	const sections = [
		[painted, ...otherLines, ...next].join('\n'),
		...report.tables.map((table) => tableText(fit(table, options.width), colours, prose)),
		report.facts.map(({ label, value }) => hang(`${label}: ${plain(value)}`, prose)).join('\n'),
		report.notes.map((note) => hang(`- ${plain(note)}`, prose)).join('\n'),
		report.reproduce === null ? '' : `Repeat it:\n  ${report.reproduce}`,
	];
	return sections.filter((section) => section !== '').join('\n\n');
}

/**
 * Drops columns that do not fit. If all rows have one metric, it moves into the title; otherwise
 * the share of the reference is dropped.
 */
function fit(table: BaselineTable, width: number): WordedTable {
	const metrics = metricsOf(table);
	const last = metrics.length > 1 ? `of ${REFERENCE_SERVER}` : METRIC;
	const best = fitTable(table, [...SPARE_COLUMNS, last], width);
	const labels = best.columns.map(({ label }) => label);
	const title = labels.includes(METRIC) || metrics.length === 0 ? table.title : `${table.title}, by ${metrics[0]}`;
	return { ...best, title, note: table.noteFor?.(labels) ?? table.note };
}

function metricsOf({ columns, rows }: WordedTable): readonly string[] {
	const at = columns.findIndex(({ label }) => label === METRIC);
	return [...new Set(rows.flatMap((row) => (row[at] ? [plain(row[at])] : [])))];
}

export function renderBaselineMarkdown(run: BaselineRun): string {
	const report = buildBaselineReport(run);
	const sections = [
		`### ${EMOJI[report.standing]} ${report.title}: ${writeMarkdown(report.summary)}`,
		report.next === null ? '' : `**Next:** ${writeMarkdown(report.next)}`,
		...report.tables.map(
			(table) =>
				`#### ${writeMarkdown([{ text: table.title }])}\n\n${tableMarkdown(table)}\n\n<sub>${table.note}</sub>`,
		),
		report.facts.map(({ label, value }) => `- ${label}: ${writeMarkdown(value)}`).join('\n'),
		report.notes.map((note) => `- ${writeMarkdown(note)}`).join('\n'),
		report.reproduce === null ? '' : fold('Repeat it', fence(report.reproduce, 'sh')),
	];
	return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

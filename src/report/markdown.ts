import { markdownTable } from 'markdown-table';
import type { Result } from '../types/result.ts';
import {
	CELL,
	CHANGE,
	type Column,
	EVIDENCE,
	figureColumns,
	INTERVAL,
	METRIC_COLUMNS,
	marksOf,
	metricColumn,
	SCENARIO,
	SERVER,
} from './columns.ts';
import type { ContextLine } from './context.ts';
import { codeMarkdown, escapeMarkdown } from './escape.ts';
import { describeFootnote, type Footnote } from './footnotes.ts';
import { drawInterval, PICTURE_MARKS } from './interval-picture.ts';
import { OUTCOME_EMOJI, VERDICT_EMOJI } from './marks.ts';
import { buildReport, type Report } from './model.ts';
import { countOf, formatScaleEnd, superscript } from './numbers.ts';
import { type Phrase, type PhraseStyle, renderPhrase } from './phrase.ts';
import { type MetricRow, nounOf, type Row } from './rows.ts';
import { type Detail, describeShed, STEPS } from './shedding.ts';

/** GitHub takes 65,536 characters; the rest is for whoever posts the text to add a marker. */
const DEFAULT_LIMIT = 65_000;
const PICTURE_WIDTH = 21;

const STYLE: PhraseStyle = {
	own: (text) => text,
	code: codeMarkdown,
	text: escapeMarkdown,
	strong: (text) => `**${text}**`,
};

/**
 * Returns the result as GitHub-flavoured Markdown of at most `limit` characters (a limit below 4,000 cannot be promised).
 * Detail is shed in the fixed order of STEPS until it fits, and the text says what is missing; nothing is cut in the middle.
 */
export function renderMarkdown(result: Result, options: { readonly limit?: number } = {}): string {
	const { limit = DEFAULT_LIMIT } = options;
	const report = buildReport(result);
	let text = '';
	for (const [step, detail] of STEPS.entries()) {
		text = renderAt(report, detail, describeShed(step));
		if (text.length <= limit) break;
	}
	return text;
}

function renderAt(report: Report, detail: Detail, shed: string): string {
	const sections = [
		renderHeadline(report),
		renderMatters(report, report.matters.slice(0, detail.matters)),
		detail.allCells ? renderAllCells(report) : '',
		renderMetrics(metricsAt(report, detail)),
		renderMethod(report, detail),
		renderFootnotes(report.footnotes.slice(0, detail.footnotes), report.footnotes.length),
		shed,
	];
	return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function renderHeadline({ headline }: Report): string {
	const { outcome, title, summary, action } = headline;
	return `### ${OUTCOME_EMOJI[outcome]} ${title}: ${write(summary)}\n\n${write(action)}`;
}

function renderMatters(report: Report, rows: readonly Row[]): string {
	if (rows.length === 0) return '';
	const { scale } = report;
	const picture: Column<Row> = {
		label: `${formatScaleEnd(scale.low)} … ${formatScaleEnd(scale.high)}`,
		format: (row) => [
			{ code: drawInterval(row.span, row.cell.threshold, scale, PICTURE_WIDTH).replaceAll(' ', '\u00a0') },
		],
		align: 'left',
	};
	const pictures = rows.some((row) => row.span) ? [picture] : [];
	const change: Column<Row> = {
		...CHANGE,
		format: (row) => (row.span ? [`**${row.change}** ${row.interval}`] : ['–']),
	};
	const columns = [SERVER, SCENARIO, ...metricColumn(rows), ...figureColumns(rows), change, ...pictures, VERDICT];
	const legend =
		pictures.length > 0
			? `\n\n<sub>Left is worse. ${PICTURE_MARKS.estimate} estimate and interval, ${PICTURE_MARKS.zero} no change, ${PICTURE_MARKS.threshold} threshold.</sub>`
			: '';
	const left = report.matters.length - rows.length;
	const more = left > 0 ? `\n\nand ${countOf(left, `more ${nounOf(report.rows)}`)}` : '';
	return `${writeTable(columns, rows)}${legend}${more}`;
}

const VERDICT: Column<Row> = {
	label: 'verdict',
	format: (row) => [`${VERDICT_EMOJI[row.verdict]} ${row.verdict} ${marksOf(row)}`.trimEnd()],
	align: 'left',
};

function renderAllCells({ rows }: Report): string {
	if (rows.length === 0) return '';
	const columns = [CELL, VERDICT, ...metricColumn(rows), CHANGE, INTERVAL, ...figureColumns(rows), ...EVIDENCE];
	return fold(`All cells (${rows.length})`, writeTable(columns, rows));
}

function metricsAt(report: Report, detail: Detail): readonly MetricRow[] {
	if (detail.metrics === 'none') return [];
	if (detail.metrics === 'all') return report.metrics;
	return report.metrics.filter(({ row }) => row.verdict !== 'unchanged');
}

function renderMetrics(metrics: readonly MetricRow[]): string {
	if (metrics.length === 0) return '';
	const name: Column<MetricRow> = { ...CELL, format: ({ row }) => CELL.format(row) };
	return fold('Other metrics', writeTable([name, ...METRIC_COLUMNS], metrics));
}

function renderMethod({ context, reproduce }: Report, detail: Detail): string {
	const lines = detail.versions ? context : context.filter(({ label }) => label !== 'Versions');
	const list = lines.map(({ label, value }: ContextLine) => `- ${label}: ${write(value)}`);
	return fold(
		'Machine, versions, how it was decided, how to repeat it',
		`${list.join('\n')}\n\n${renderReproduce(reproduce)}`,
	);
}

function renderReproduce(reproduce: string | null): string {
	if (reproduce === null) return 'The command that repeats this run is too long for this page; it is in the JSON file.';
	const longest = Math.max(...(reproduce.match(/`+/g) ?? ['']).map((run) => run.length));
	const fence = '`'.repeat(Math.max(3, longest + 1));
	return `Repeat it:\n\n${fence}sh\n${reproduce}\n${fence}`;
}

function renderFootnotes(notes: readonly Footnote[], all: number): string {
	const lines = notes.map((note) => `${superscript(note.number)} ${write(describeFootnote(note))}`);
	if (notes.length < all) lines.push(`… and ${countOf(all - notes.length, 'more note')}.`);
	return lines.join('\n\n');
}

function fold(summary: string, body: string): string {
	return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function writeTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
	const lines = rows.map((row) => columns.map(({ format }) => write(format(row))));
	return markdownTable([columns.map(({ label }) => label), ...lines], {
		align: columns.map(({ align }) => (align === 'right' ? 'r' : 'l')),
		alignDelimiters: false,
		padding: true,
	});
}

function write(text: Phrase): string {
	return renderPhrase(text, STYLE);
}

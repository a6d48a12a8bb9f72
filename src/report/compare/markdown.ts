/** A comparison as Markdown, cut to what GitHub takes. */
import { markdownTable } from 'markdown-table';
import { codeMarkdown, escapeHtml, escapeMarkdown } from '../../text/escape.ts';
import { countOf, formatScaleEnd } from '../../text/numbers.ts';
import { type Phrase, type PhraseStyle, renderPhrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import { SIDES } from '../../types/units.ts';
import { groupByServer } from '../shard-lines.ts';
import type { Audience } from './audience.ts';
import {
	CELL,
	CHANGE,
	type Column,
	EVIDENCE,
	figureColumns,
	hasRanges,
	INTERVAL,
	METRIC_COLUMNS,
	marksOf,
	metricColumn,
	RANGES_NOTE,
	SCENARIO,
	SERVER,
	sharedUnit,
} from './columns.ts';
import { DRIFT_NOTE, type DriftReport, MOST_LINES } from './drift-model.ts';
import { describeFootnote, type Footnote, markOf } from './footnotes.ts';
import { NOTHING_TO_DO } from './headline.ts';
import { drawInterval, PICTURE_LEGEND } from './interval-picture.ts';
import { STANDING_EMOJI, VERDICT_EMOJI } from './marks.ts';
import type { ContextLine } from './report-context.ts';
import { buildReport, type Report } from './report-model.ts';
import { isTelling, type MetricRow, nounOf, type Row } from './rows.ts';

/** How much of a report Markdown shows. */
interface Detail {
	/** What this step leaves out beyond the step before it, for the reader. */
	readonly sheds: string;
	readonly metrics: 'all' | 'matters' | 'none';
	readonly allCells: boolean;
	readonly versions: boolean;
	/** Whether the baselines of every row are shown. */
	readonly baselines: boolean;
	/** Most lines about drift. */
	readonly drift: number;
	/** Most rows of the table of cells that matter; few where the table of all cells has them too. */
	readonly matters: number;
	/** Most footnotes. */
	readonly footnotes: number;
}

/** What no report sheds that has none. */
const BASELINES = 'baselines';

const FULL: Detail = {
	sheds: '',
	metrics: 'all',
	allCells: true,
	versions: true,
	baselines: true,
	drift: MOST_LINES,
	matters: 25,
	footnotes: Infinity,
};

const NO_METRICS: Detail = { ...FULL, metrics: 'none' };

const NO_BASELINES: Detail = { ...NO_METRICS, baselines: false };

const MATTERS_ONLY: Detail = { ...NO_BASELINES, allCells: false, matters: Infinity };

/** What a report sheds to fit a limit, step by step. The headline and the worst rows are the last to go. */
const STEPS: readonly Detail[] = [
	FULL,
	{ ...FULL, metrics: 'matters', sheds: 'other metrics of unchanged rows' },
	{ ...NO_METRICS, sheds: 'other metrics' },
	{ ...NO_BASELINES, sheds: BASELINES },
	{ ...MATTERS_ONLY, sheds: 'the table of all rows' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 20, sheds: 'versions, notes beyond 20' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 10, matters: 50, sheds: 'rows beyond the 50 worst, notes beyond 10' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 5, matters: 10, sheds: 'rows beyond the 10 worst, notes beyond 5' },
	{ ...MATTERS_ONLY, versions: false, footnotes: 0, matters: 0, drift: 0, sheds: 'all tables and notes' },
];

/** GitHub takes 65,536 characters; the rest is left for the marker that is added when it is posted. */
const DEFAULT_LIMIT = 65_000;
const PICTURE_WIDTH = 21;

const STYLE: PhraseStyle = {
	own: (text) => text,
	code: codeMarkdown,
	text: escapeMarkdown,
	strong: (text) => `**${text}**`,
};

export interface MarkdownOptions extends Audience {
	/** Most the text may measure; below 4,000 characters it cannot be promised. */
	readonly limit?: number;
	/** How a text is measured; in characters (UTF-16 units) by default. */
	readonly sizeOf?: (text: string) => number;
}

/**
 * Returns the result as GitHub-flavoured Markdown of at most `limit`. Detail is shed in the fixed order of STEPS until it fits,
 * and the text says what is missing; nothing is cut in the middle.
 */
export function renderMarkdown(result: Result, options: MarkdownOptions = {}): string {
	const { limit = DEFAULT_LIMIT, sizeOf = (text) => text.length } = options;
	const report = buildReport(result, options);
	let text = '';
	for (const [step, detail] of STEPS.entries()) {
		text = renderAt(report, detail, describeShed(step, report.drift.rows.length > 0));
		if (sizeOf(text) <= limit) break;
	}
	return text;
}

function renderAt(report: Report, detail: Detail, shed: string): string {
	const sections = [
		renderHeadline(report),
		renderMatters(report, detail),
		renderDrift(report.drift, detail.drift),
		detail.allCells ? renderAllCells(report) : '',
		renderMetrics(metricsAt(report, detail)),
		detail.baselines ? renderBaselines(report.drift) : '',
		renderMethod(report, detail),
		renderFootnotes(report.footnotes.slice(0, detail.footnotes), report.footnotes.length),
		shed,
	];
	return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function renderHeadline({ headline }: Report): string {
	const { standing, title, summary, effect, next } = headline;
	const does = `**${effect.label}:** ${writeMarkdown(effect.words)}`;
	const then = `**Next:** ${next === null ? NOTHING_TO_DO : writeMarkdown(next)}`;
	const first = `### ${STANDING_EMOJI[standing]} ${title}: ${writeMarkdown(summary)}`;
	return [first, does, then].join('\n\n');
}

function renderMatters(report: Report, detail: Detail): string {
	const rows = report.matters.slice(0, detail.matters);
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
		format: (row) => (row.span ? [`**${keepTogether(row.change)}** ${keepTogether(row.interval)}`] : ['–']),
	};
	const figures = figureColumns(rows).map((each, index) => ({ ...each, label: SIDES[index] ?? each.label }));
	const columns = [SERVER, SCENARIO, ...metricColumn(report.rows), ...figures, change, ...pictures, VERDICT];
	const shared = sharedUnit(rows);
	const unit = shared === null ? '' : `Base and head in ${shared}. `;
	const ranges = hasRanges(rows) ? `${RANGES_NOTE} ` : '';
	const legend =
		pictures.length > 0
			? `\n\n<sub>${unit}${ranges}The picture goes from ${formatScaleEnd(scale.low)} to ${formatScaleEnd(scale.high)}, left is worse: ${PICTURE_LEGEND}.</sub>`
			: '';
	const left = report.matters.length - rows.length;
	const where = detail.allCells ? ` in the table of all ${nounOf(report.rows)}s` : '';
	const more = left > 0 ? `\n\nand ${countOf(left, `more ${nounOf(report.rows)}`)}${where}` : '';
	return `${writeTable(columns, rows)}${legend}${more}`;
}

const VERDICT: Column<Row> = {
	label: 'verdict',
	format: (row) => [keepTogether(`${VERDICT_EMOJI[row.verdict]} ${row.verdict} ${marksOf(row)}`.trimEnd())],
	align: 'left',
};

/** A table that runs out of room breaks lines between words, which takes numbers apart. */
function keepTogether(text: string): string {
	return text.replaceAll(' ', '\u00a0');
}

/** The same column with every number on one line. */
function unbroken<T>(column: Column<T>): Column<T> {
	if (column.align === 'left') return column;
	const format = (row: T): Phrase =>
		column.format(row).map((piece) => (typeof piece === 'string' ? keepTogether(piece) : piece));
	return { ...column, format };
}

function renderAllCells({ rows }: Report): string {
	if (rows.length === 0) return '';
	const columns = [CELL, VERDICT, ...metricColumn(rows), CHANGE, INTERVAL, ...figureColumns(rows), ...EVIDENCE];
	const table = (some: readonly Row[]) => writeTable(columns.map(unbroken), some);
	const groups = groupByServer(rows)?.map(
		(group) => `${codeMarkdown(group.server)}: ${group.summary}\n\n${table(group.rows)}`,
	);
	const note = hasRanges(rows) ? `\n\n<sub>${RANGES_NOTE}</sub>` : '';
	return fold(`All ${countOf(rows.length, nounOf(rows))}`, `${groups?.join('\n\n') ?? table(rows)}${note}`);
}

function metricsAt(report: Report, detail: Detail): readonly MetricRow[] {
	if (detail.metrics === 'none') return [];
	if (detail.metrics === 'all') return report.metrics;
	return report.metrics.filter(({ row }) => isTelling(row));
}

function renderMetrics(metrics: readonly MetricRow[]): string {
	if (metrics.length === 0) return '';
	const name: Column<MetricRow> = { ...CELL, format: ({ row }) => CELL.format(row) };
	return fold('Other metrics', writeTable([name, ...METRIC_COLUMNS.map(unbroken)], metrics));
}

function renderDrift({ lines }: DriftReport, most: number): string {
	const left = lines.length - most;
	const more = left > 0 ? [`- and ${countOf(left, 'more row')} below the anchor`] : [];
	return most === 0 ? '' : [...lines.slice(0, most).map((line) => `- ${writeMarkdown(line)}`), ...more].join('\n');
}

function renderBaselines({ rows, columns, branch }: DriftReport): string {
	if (rows.length === 0) return '';
	const title = `Baselines of ${escapeHtml(branch)}: ${countOf(rows.length, 'row')}`;
	return fold(title, `${writeTable(columns.map(unbroken), rows)}\n\n<sub>${DRIFT_NOTE}</sub>`);
}

function renderMethod({ context, reproduce }: Report, detail: Detail): string {
	const lines = detail.versions ? context : context.filter(({ label }) => label !== 'Versions');
	const list = lines.map(({ label, value }: ContextLine) => `- ${label}: ${writeMarkdown(value)}`);
	const command =
		reproduce === null ? 'The command is too long for this page; the JSON file has it.' : fence(reproduce, 'sh');
	return [fold('Machine, versions and method', list.join('\n')), fold('Command to reproduce this run', command)].join(
		'\n\n',
	);
}

/** Returns lines of text as a block of code that nothing in them can end. */
export function fence(text: string, language: string): string {
	const longest = Math.max(...(text.match(/`+/g) ?? ['']).map((run) => run.length));
	const ticks = '`'.repeat(Math.max(3, longest + 1));
	return `${ticks}${language}\n${text}\n${ticks}`;
}

function renderFootnotes(notes: readonly Footnote[], all: number): string {
	const lines = notes.map((note) => `${markOf(note)} ${writeMarkdown(describeFootnote(note))}`);
	if (notes.length < all) lines.push(`… and ${countOf(all - notes.length, 'more note')}.`);
	return lines.join('\n\n');
}

/** Returns Markdown that shows `summary` (our own words) until it is opened. */
export function fold(summary: string, body: string): string {
	return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function writeTable<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
	const lines = rows.map((row) => columns.map(({ format }) => writeMarkdown(format(row))));
	return markdownTable([columns.map(({ label }) => label), ...lines], {
		align: columns.map(({ align }) => (align === 'right' ? 'r' : 'l')),
		alignDelimiters: false,
		padding: true,
	});
}

/** Returns a phrase as Markdown, everything foreign in it escaped. For use inside a line: foreign text must not begin it. */
export function writeMarkdown(text: Phrase): string {
	return renderPhrase(text, STYLE);
}

/** Returns the sentence that says what a report at `step` leaves out; empty for step 0. */
function describeShed(step: number, hasBaselines: boolean): string {
	if (step === 0) return '';
	const all = STEPS.slice(1, step + 1).map(({ sheds }) => sheds);
	const shed = all.filter((what) => hasBaselines || what !== BASELINES);
	return `_Left out to fit: ${shed.join('; ')}. The HTML and JSON reports have everything._`;
}

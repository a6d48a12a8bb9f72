import { markdownTable } from 'markdown-table';
import { codeMarkdown, escapeHtml, escapeMarkdown, isSafeUrl } from '../../text/escape.ts';
import { countOf, formatScaleEnd } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, type PhraseStyle, phrase, renderPhrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import { groupByServer } from '../shard-lines.ts';
import type { Accepting } from './acceptance-words.ts';
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
} from './columns.ts';
import { DRIFT_NOTE, type DriftReport, MOST_LINES } from './drift-model.ts';
import { describeFootnote, type Footnote, markOf } from './footnotes.ts';
import { NOTHING_TO_DO } from './headline.ts';
import { drawInterval, PICTURE_LEGEND } from './interval-picture.ts';
import { rowUrl } from './links.ts';
import { STANDING_EMOJI, VERDICT_EMOJI } from './marks.ts';
import type { ContextLine } from './report-context.ts';
import { buildReport, type Report } from './report-model.ts';
import { isTelling, type MetricRow, nameOf, nounOf, type Row } from './rows.ts';

interface Detail {
	/** Names the content that this step drops. */
	readonly sheds: string;
	readonly metrics: 'all' | 'matters' | 'none';
	readonly allCells: boolean;
	readonly versions: boolean;
	readonly baselines: boolean;
	readonly drift: number;
	/** Rows of the short table. */
	readonly matters: number;
	readonly footnotes: number;
}

const BASELINES = 'baselines';

/** Rows outside of folds. */
const MOST_SHOWN = 5;
const MOST_PACKAGES = 2;

const FULL: Detail = {
	sheds: '',
	metrics: 'all',
	allCells: true,
	versions: true,
	baselines: true,
	drift: MOST_LINES,
	matters: MOST_SHOWN,
	footnotes: Infinity,
};

const NO_METRICS: Detail = { ...FULL, metrics: 'none' };

const NO_BASELINES: Detail = { ...NO_METRICS, baselines: false };

const MATTERS_ONLY: Detail = { ...NO_BASELINES, allCells: false, matters: Infinity };

/** Shortening steps. Headline and worst rows go last. */
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

/** In characters. GitHub's limit is 65,536; the rest is for the marker. */
const DEFAULT_LIMIT = 65_000;
const PICTURE_WIDTH = 21;

const STYLE: PhraseStyle = {
	own: (text) => text,
	code: (text, to) => (to ? writeLink(codeMarkdown(text), to) : codeMarkdown(text)),
	text: escapeMarkdown,
	strong: (text) => `**${text}**`,
};

export interface MarkdownOptions extends Audience {
	/** Not guaranteed below 4,000 characters. */
	readonly limit?: number;
	/** Counts UTF-16 units by default. */
	readonly sizeOf?: (text: string) => number;
}

/**
 * Returns GitHub-flavoured Markdown of at most `limit`. Drops details in the order of STEPS and names them; never cuts
 * a text in the middle.
 */
export function renderMarkdown(result: Result, options: MarkdownOptions = {}): string {
	const { limit = DEFAULT_LIMIT, sizeOf = (text) => text.length } = options;
	const report = buildReport(result, options);
	let text = '';
	for (const [step, detail] of STEPS.entries()) {
		text = renderAt(report, detail, describeShed(step, report.drift.rows.length > 0), options);
		if (sizeOf(text) <= limit) break;
	}
	return text;
}

function renderAt(report: Report, detail: Detail, shed: string, audience: Audience): string {
	const sections = [
		renderHeadline(report),
		writeMarkdown(report.sides),
		renderNext(report),
		renderMatters(report, detail, audience),
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
	const { standing, title, summary, effect } = headline;
	const does = effect ? [`**${effect.label}:** ${writeMarkdown(effect.words)}`] : [];
	return [`### ${STANDING_EMOJI[standing]} ${title}: ${writeMarkdown(summary)}`, ...does].join('\n\n');
}

function renderNext({ headline: { next, accepting } }: Report): string {
	const [only = [NOTHING_TO_DO], ...more] = next.map(writeMarkdown);
	const actions =
		more.length === 0 ? `**Next:** ${only}` : `**Next:**\n\n${[only, ...more].map((each) => `- ${each}`).join('\n')}`;
	return [actions, ...(accepting ? [renderAccepting(accepting)] : [])].join('\n\n');
}

function renderAccepting({ title, lines, label, again }: Accepting): string {
	const how = phrase`If it is intended, someone with write access can write this into the description or a comment, with a reason, and then ${again}. The label ${{ code: label }} accepts everything.`;
	return fold(title, `${writeMarkdown(how)}\n\n${fence(lines.join('\n'), 'text')}`);
}

/** The first three columns fit a phone. */
function renderMatters(report: Report, detail: Detail, { dashboard }: Audience): string {
	const rows = report.matters.slice(0, detail.matters);
	const [shown, folded] = [rows.slice(0, MOST_SHOWN), rows.slice(MOST_SHOWN)];
	if (shown.length === 0) return '';
	const { scale } = report;
	const picture: Column<Row> = {
		label: `${formatScaleEnd(scale.low)} … ${formatScaleEnd(scale.high)}`,
		format: (row) => [
			{ code: drawInterval(row.span, row.cell.threshold, scale, PICTURE_WIDTH).replaceAll(' ', '\u00a0') },
		],
		align: 'left',
	};
	const pictures = shown.some((row) => row.span) ? [picture] : [];
	const columns = [MARK, linkedRow(report, dashboard), CHANGE_OR_VERDICT, ...pictures];
	const legend = pictures.length > 0 ? `\n\n<sub>${PICTURE_LEGEND}; left is worse.</sub>` : '';
	const rest = folded.length > 0 ? `\n\n${fold(countOf(folded.length, 'more row'), writeTable(columns, folded))}` : '';
	const hiddenCount = report.matters.length - rows.length;
	const noun = `more ${nounOf(report.rows)}`;
	const where = detail.allCells ? `, in the table of all ${nounOf(report.rows)}s` : '';
	const more = hiddenCount > 0 ? `\n\nand ${countOf(hiddenCount, noun)}${where}` : '';
	return `${writeTable(columns, shown)}${legend}${rest}${more}`;
}

const MARK: Column<Row> = { label: '', format: (row) => [VERDICT_EMOJI[row.verdict]], align: 'left' };

const CHANGE_OR_VERDICT: Column<Row> = {
	label: 'change',
	format: (row) =>
		row.span ? [{ strong: keepTogether(row.change) }, ` ${keepTogether(row.interval)}`] : [row.verdict],
	align: 'left',
};

function linkedRow({ rows, changedPackages }: Report, dashboard: string | undefined): Column<Row> {
	const [metric] = metricColumn(rows);
	const format = (row: Row): Phrase => {
		const packages = row.verdict === 'regressed' || row.verdict === 'improved' ? changedPackages(row) : [];
		const more = packages.length > MOST_PACKAGES ? `, ${packages.length - MOST_PACKAGES} more` : '';
		const named = packages.slice(0, MOST_PACKAGES).map((text): Phrase => [{ text }]);
		const beside = named.length === 0 ? [] : phrase`<br><sub>${joinPhrases(named, ', ')}${more}</sub>`;
		const name = { ...nameOf(row), to: rowUrl(row.cell, dashboard) };
		return phrase`${name}${metric ? phrase` ${metric.format(row)}` : []}${marksOf(row) === '' ? '' : ` ${marksOf(row)}`}${beside}`;
	};
	return { label: 'row', format, align: 'left' };
}

const VERDICT: Column<Row> = {
	label: 'verdict',
	format: (row) => [keepTogether(`${VERDICT_EMOJI[row.verdict]} ${row.verdict} ${marksOf(row)}`.trimEnd())],
	align: 'left',
};

function keepTogether(text: string): string {
	return text.replaceAll(' ', '\u00a0');
}

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
	const hiddenCount = lines.length - most;
	const more = hiddenCount > 0 ? [`- and ${countOf(hiddenCount, 'more row')} below the anchor`] : [];
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
	return [fold('Machine, versions and method', list.join('\n')), fold('Command to repeat this run', command)].join(
		'\n\n',
	);
}

/** Returns a code block. No content can close it early. */
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

/** Returns a collapsed section; `summary` must be trusted. */
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

/** Returns a Markdown link, or only `text` if `url` is unsafe. */
export function writeLink(text: string, url: string): string {
	return isSafeUrl(url) ? `[${text}](${url})` : text;
}

/** Returns escaped Markdown. It must not start a line, because foreign text may begin it. */
export function writeMarkdown(text: Phrase): string {
	return renderPhrase(text, STYLE);
}

function describeShed(step: number, hasBaselines: boolean): string {
	if (step === 0) return '';
	const all = STEPS.slice(1, step + 1).map(({ sheds }) => sheds);
	const shed = all.filter((what) => hasBaselines || what !== BASELINES);
	return `_Left out to fit: ${shed.join('; ')}. The HTML and JSON reports have everything._`;
}

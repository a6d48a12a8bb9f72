import { escapeHtml } from '../../text/escape.ts';
import { type Phrase, renderPhrase } from '../../text/phrase.ts';
import {
	CELL,
	CHANGE,
	type Column,
	column,
	EVIDENCE,
	figureColumns,
	hasRanges,
	INTERVAL_LABEL,
	METRIC_COLUMNS,
	metricColumn,
	RANGES_NOTE,
	SCENARIO,
	SERVER,
} from '../compare/columns.ts';
import { VERDICT_MARKS } from '../compare/marks.ts';
import type { Report } from '../compare/report-model.ts';
import type { MetricRow, Row } from '../compare/rows.ts';
import { groupByServer } from '../shards/shard-lines.ts';
import { scroll, table } from './html-parts.ts';
import { drawIntervalSvg } from './interval-svg.ts';

/** How a table cell becomes HTML where text is not enough. */
export type Writers<T> = ReadonlyMap<Column<T>, (row: T) => string>;

/** Names longer than this may wrap. */
const LONG_NAME = 28;

const VERDICT = column<Row>('verdict', (row) => row.verdict, 'left');

/** Returns a phrase as HTML, all of it escaped. */
export function writeHtml(text: Phrase): string {
	return renderPhrase(text, {
		own: (words) => keepTogether(escapeHtml(words)),
		text: escapeHtml,
		code: (code) => `<code>${escapeHtml(code)}</code>`,
		strong: (words) => `<strong>${keepTogether(escapeHtml(words))}</strong>`,
	});
}

/** Returns the table of rows that matter, a list of cards on a phone; empty when every row is unchanged. */
export function renderMatters({ rows, matters, scale }: Report): string {
	if (matters.length === 0) return '';
	const picture = column<Row>(INTERVAL_LABEL, (row) => row.interval, 'left');
	const columns = [SERVER, SCENARIO, ...metricColumn(rows), ...figureColumns(matters), CHANGE, picture, VERDICT];
	const writers: Writers<Row> = new Map([
		[SERVER, (row: Row) => writeName(row.server)],
		[SCENARIO, (row: Row) => writeName(row.scenario)],
		[CHANGE, writeChange],
		[VERDICT, writeVerdict],
		[picture, (row: Row) => (row.span ? drawIntervalSvg(row.span, row.cell, row.verdict, scale) : '–')],
	]);
	return `<section><h2>What matters</h2>${writeTable(columns, matters, writers, 'cards')}${rangesNote(matters)}</section>`;
}

/** Returns the table of all rows with the numbers behind their verdicts. */
export function renderAllCells(rows: readonly Row[]): string {
	const columns = [CELL, VERDICT, ...metricColumn(rows), CHANGE, ...figureColumns(rows), ...EVIDENCE];
	const writers: Writers<Row> = new Map([
		[CHANGE, writeChange],
		[VERDICT, writeVerdict],
	]);
	const tableOf = (some: readonly Row[]) => writeTable(columns, some, writers);
	const groups = groupByServer(rows)?.map(
		(group) => `<h3><code>${escapeHtml(group.server)}</code>: ${group.summary}</h3>${tableOf(group.rows)}`,
	);
	return `${groups?.join('\n') ?? tableOf(rows)}${rangesNote(rows)}`;
}

function rangesNote(rows: readonly Row[]): string {
	return hasRanges(rows) ? `<p class="hint">${RANGES_NOTE}</p>` : '';
}

/** Returns the table of the metrics that decided nothing. */
export function renderMetrics(metrics: readonly MetricRow[]): string {
	const name: Column<MetricRow> = { ...CELL, format: ({ row }) => CELL.format(row) };
	return writeTable([name, ...METRIC_COLUMNS], metrics, new Map());
}

/** A short name stays on one line; a long one may break anywhere. */
function writeName(name: string): string {
	return `<code class="${name.length > LONG_NAME ? 'long' : 'short'}">${escapeHtml(name)}</code>`;
}

/** A number stays with its percent sign. */
function keepTogether(html: string): string {
	return html.replaceAll(' %', '\u00a0%');
}

function writeChange(row: Row): string {
	if (row.change === '–') return '–';
	return `<strong>${escapeHtml(row.change)}</strong> <span class="interval">${escapeHtml(row.interval)}</span>`;
}

function writeVerdict(row: Row): string {
	const marks = row.notes.map((number) => `<a href="#note-${number}"><sup>${number}</sup></a>`).join(' ');
	return `<span class="verdict ${row.verdict}"><span aria-hidden="true">${VERDICT_MARKS[row.verdict]}</span> ${row.verdict}</span> ${marks}`;
}

/** Returns a table in a frame that scrolls, each cell by its writer, else as its column formats it. */
export function writeTable<T>(
	columns: readonly Column<T>[],
	rows: readonly T[],
	writers: Writers<T>,
	style = '',
): string {
	const cells = rows.map((row) =>
		columns.map((each) => {
			const content = writers.get(each)?.(row) ?? writeHtml(each.format(row));
			return `<td class="${each.align}" data-label="${escapeHtml(each.label)}">${content}</td>`;
		}),
	);
	return scroll(table(`<table class="${style}">`, columns, cells));
}

import { createHash } from 'node:crypto';
import { escapeHtml } from '../../text/escape.ts';
import { type Phrase, renderPhrase } from '../../text/phrase.ts';
import type { Fraction } from '../../types/units.ts';
import type { Verdict } from '../../types/verdict.ts';
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
import type { Scale, Span } from '../compare/interval-picture.ts';
import { VERDICT_MARKS } from '../compare/marks.ts';
import type { Report } from '../compare/report-model.ts';
import { isTelling, type MetricRow, type Row } from '../compare/rows.ts';
import { groupByServer } from '../shard-lines.ts';
import { scroll, table } from './html-parts.ts';

/** Cells that need more than text. */
export type Writers<T> = ReadonlyMap<Column<T>, (row: T) => string>;

/** Longer names may wrap. */
const LONG_NAME = 28;

const VERDICT = column<Row>('verdict', (row) => row.verdict, 'left');

export function writeHtml(text: Phrase): string {
	return renderPhrase(text, {
		own: (words) => keepTogether(escapeHtml(words)),
		text: escapeHtml,
		code: (code, to) => {
			const html = `<code>${escapeHtml(code)}</code>`;
			return to === undefined ? html : `<a href="${escapeHtml(to)}">${html}</a>`;
		},
		strong: (words) => `<strong>${keepTogether(escapeHtml(words))}</strong>`,
	});
}

/** Returns the table of important rows, which a phone shows as cards. */
export function renderMatters({ rows, matters, scale }: Report): string {
	if (matters.length === 0) return '';
	const picture = column<Row>(INTERVAL_LABEL, (row) => row.interval, 'left');
	const columns = [VERDICT, SERVER, SCENARIO, ...metricColumn(rows), ...figureColumns(matters), CHANGE, picture];
	const writers: Writers<Row> = new Map([
		[SERVER, (row: Row) => writeName(row.server)],
		[SCENARIO, (row: Row) => `<a href="#${escapeHtml(idOf(row))}">${writeName(row.scenario)}</a>`],
		[CHANGE, writeChange],
		[VERDICT, writeVerdict],
		[picture, (row: Row) => (row.span ? drawIntervalSvg(row.span, row.cell, row.verdict, scale) : '–')],
	]);
	return `<section><h2>What matters</h2>${writeTable(columns, matters, writers, 'cards', idOf)}${rangesNote(matters)}</section>`;
}

export function renderAllCells(rows: readonly Row[]): string {
	const columns = [CELL, VERDICT, ...metricColumn(rows), CHANGE, ...figureColumns(rows), ...EVIDENCE];
	const writers: Writers<Row> = new Map([
		[CHANGE, writeChange],
		[VERDICT, writeVerdict],
	]);
	const idOfRest = (row: Row) => (isTelling(row) ? null : idOf(row));
	const tableOf = (some: readonly Row[]) => writeTable(columns, some, writers, '', idOfRest);
	const groups = groupByServer(rows)?.map(
		(group) => `<h3><code>${escapeHtml(group.server)}</code>: ${group.summary}</h3>${tableOf(group.rows)}`,
	);
	return `${groups?.join('\n') ?? tableOf(rows)}${rangesNote(rows)}`;
}

function rangesNote(rows: readonly Row[]): string {
	return hasRanges(rows) ? `<p class="hint">${RANGES_NOTE}</p>` : '';
}

export function renderMetrics(metrics: readonly MetricRow[]): string {
	const name: Column<MetricRow> = { ...CELL, format: ({ row }) => CELL.format(row) };
	return writeTable([name, ...METRIC_COLUMNS], metrics, new Map());
}

/** Returns the fragment of a row's address. */
export function idOf({ server, scenario, cell: { metric } }: Row): string {
	const name = [server, scenario, ...(metric === 'throughput' ? [] : [metric])].join('/');
	if (/^[\w./–-]+$/.test(name)) return `row-${name}`;
	return `row-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
}

function writeName(name: string): string {
	return `<code class="${name.length > LONG_NAME ? 'long' : 'short'}">${escapeHtml(name)}</code>`;
}

/** Keeps each percent sign on the line of its number. */
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

/** Returns a table in a scrolling frame. A cell without a writer is formatted by its column. */
export function writeTable<T>(
	columns: readonly Column<T>[],
	rows: readonly T[],
	writers: Writers<T>,
	style = '',
	idOfRow: (row: T) => string | null = () => null,
): string {
	const cells = rows.map((row) =>
		columns.map((each) => {
			const content = writers.get(each)?.(row) ?? writeHtml(each.format(row));
			return `<td class="${each.align}" data-label="${escapeHtml(each.label)}">${content}</td>`;
		}),
	);
	return scroll(table(`<table class="${style}">`, columns, cells, escapeHtml, rows.map(idOfRow)));
}

function drawIntervalSvg(
	span: Span,
	limits: { readonly threshold: Fraction; readonly tolerance: Fraction },
	verdict: Verdict,
	scale: Scale,
): string {
	const at = (value: Fraction | null, edge: number): string => {
		const share = value === null ? edge : (value - scale.low) / (scale.high - scale.low);
		return `${(2 + 96 * Math.min(Math.max(share, 0), 1)).toFixed(2)}%`;
	};
	const line = (name: string, value: Fraction): string =>
		`<line class="${name}" x1="${at(value, 0)}" x2="${at(value, 0)}" y1="0" y2="20"/>`;
	return [
		`<svg class="picture ${verdict}" width="100%" height="20" aria-hidden="true">`,
		line('zero', 0),
		line('tolerance', -limits.tolerance),
		line('threshold', -limits.threshold),
		`<line class="bar" x1="${at(span.low, 0)}" x2="${at(span.high, 1)}" y1="10" y2="10"/>`,
		`<circle class="dot" cx="${at(span.mid, 0)}" cy="10" r="4.5"/>`,
		'</svg>',
	].join('');
}

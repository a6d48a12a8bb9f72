import { formatPercent, superscript } from '../../text/numbers.ts';
import type { Phrase } from '../../text/phrase.ts';
import type { MetricRow, Row } from './rows.ts';

/** One column of a table of `T`. */
export interface Column<T> {
	readonly label: string;
	readonly format: (row: T) => Phrase;
	readonly align: 'left' | 'right';
}

/** Returns a column of our own words. */
export function column<T>(label: string, format: (row: T) => string, align: 'left' | 'right' = 'right'): Column<T> {
	return { label, format: (row) => [format(row)], align };
}

export const SERVER: Column<Row> = { label: 'server', format: (row) => [{ code: row.server }], align: 'left' };
export const SCENARIO: Column<Row> = { label: 'scenario', format: (row) => [{ code: row.scenario }], align: 'left' };
export const CELL: Column<Row> = {
	label: 'cell',
	format: (row) => [{ code: `${row.server}/${row.scenario}` }],
	align: 'left',
};
export const METRIC = column<Row>('metric', (row) => row.metric, 'left');
export const CHANGE = column<Row>('change', (row) => row.change);
export const INTERVAL = column<Row>('interval, %', (row) => row.interval);

/** Returns the columns of both sides' figures, with the unit in the label when all rows share it. */
export function figureColumns(rows: readonly Row[]): readonly Column<Row>[] {
	const unit = sharedUnit(rows);
	const suffix = (row: Row): string => (unit === null ? ` ${row.unit}` : '');
	return (['base', 'head'] as const).map((side) =>
		column(unit === null ? side : `${side}, ${unit}`, (row) =>
			row[side] === '–' ? '–' : `${row[side]}${suffix(row)}`,
		),
	);
}

/** Returns the metric column, or nothing when all rows were decided by throughput, the usual case. */
export function metricColumn(rows: readonly Row[]): readonly Column<Row>[] {
	return rows.every((row) => row.cell.judgedBy === 'throughput') ? [] : [METRIC];
}

/** Numbers behind each verdict. */
export const EVIDENCE: readonly Column<Row>[] = [
	column('threshold', (row) => formatPercent(row.cell.threshold)),
	column('rounds', (row) => `${row.cell.rounds}`),
	column('SD of a round', (row) => formatPercent(row.cell.roundSd)),
	column('could decide', (row) => formatPercent(row.cell.smallestDecidableThreshold)),
];

/** Columns of the table of other metrics after the name of the cell. */
export const METRIC_COLUMNS: readonly Column<MetricRow>[] = [
	column('metric', (row) => row.metric, 'left'),
	column('base', (row) => withUnit(row.base, row.unit)),
	column('head', (row) => withUnit(row.head, row.unit)),
	column('change', (row) => row.change),
	column('interval, %', (row) => row.interval),
	column('figures from', (row) => row.source, 'left'),
];

/** Returns the footnote marks of a row, e.g. `¹ ³`. */
export function marksOf(row: Row): string {
	return row.notes.map(superscript).join(' ');
}

function withUnit(figure: string, unit: string): string {
	return figure === '–' ? figure : `${figure} ${unit}`;
}

/** Returns the unit all rows' figures share, `requests/s` without figures, or null when they differ. */
export function sharedUnit(rows: readonly Row[]): string | null {
	const units = new Set(rows.filter((row) => row.base !== '–' || row.head !== '–').map((row) => row.unit));
	return units.size <= 1 ? ([...units][0] ?? 'requests/s') : null;
}

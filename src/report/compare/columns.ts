import { labelOf } from '../../judge/row-words.ts';
import { formatPercent, superscript } from '../../text/numbers.ts';
import type { Phrase } from '../../text/phrase.ts';
import type { Cell, Column as Heading, Table } from '../document/document.ts';
import type { MetricRow, Row } from './rows.ts';

export const INTERVAL_LABEL = '90 % interval';

export interface Column<T, C extends Cell = Phrase> extends Heading {
	readonly format: (row: T) => C;
}

export function tableOf<T>(columns: readonly Column<T, Cell>[], rows: readonly T[], more: Partial<Table> = {}): Table {
	return {
		kind: 'table',
		columns,
		rows: rows.map((row) => columns.map(({ format }) => format(row))),
		note: '',
		...more,
	};
}

export function column<T>(label: string, format: (row: T) => string, align: 'left' | 'right' = 'right'): Column<T> {
	return { label, format: (row) => [format(row)], align };
}

export const SERVER: Column<Row> = { label: 'server', format: (row) => [{ code: row.server }], align: 'left' };
export const SCENARIO: Column<Row> = { label: 'scenario', format: (row) => [{ code: row.scenario }], align: 'left' };
export const CELL: Column<Row> = {
	label: 'server/scenario',
	format: (row) => [{ code: row.name }],
	align: 'left',
};
export const CHANGE = column<Row>('change', (row) => row.change);
export const INTERVAL = column<Row>(INTERVAL_LABEL, (row) => row.interval);

export const RANGES_NOTE =
	'A range for base and head means that something disturbed their short measurement. The change does not come from it.';

export function hasRanges(rows: readonly Row[]): boolean {
	return rows.some(({ cell }) => cell.metrics[cell.judgedBy]?.level !== undefined);
}

/** Returns both figure columns, with the unit in the label if all rows share it. */
export function figureColumns(rows: readonly Row[]): readonly Column<Row>[] {
	const unit = sharedUnit(rows);
	const suffix = (row: Row): string => (unit === null ? ` ${row.unit}` : '');
	return (['base', 'head'] as const).map((side) =>
		column(unit === null ? side : `${side}, ${unit}`, (row) =>
			row[side] === '–' ? '–' : `${row[side]}${suffix(row)}`,
		),
	);
}

/** Returns the metric column; empty for throughput alone. A row that another metric decided names both. */
export function metricColumn(rows: readonly Row[]): readonly Column<Row>[] {
	if (rows.every(({ cell }) => cell.metric === 'throughput' && cell.judgedBy === 'throughput')) return [];
	const keyOf = (row: Row): string => `${row.id} ${row.cell.judgedBy}`;
	const counts = Map.groupBy(rows, keyOf);
	const format = (row: Row): string => {
		const { metric, judgedBy } = row.cell;
		const alone = metric === judgedBy || counts.get(keyOf(row))?.length === 1;
		return alone ? row.metric : `${labelOf(metric)} by ${row.metric}`;
	};
	return [column('metric', format, 'left')];
}

export const EVIDENCE: readonly Column<Row>[] = [
	column('threshold', (row) => formatPercent(row.cell.threshold)),
	column('rounds', (row) => `${row.cell.rounds}`),
	column('noise of a round (SD)', (row) => formatPercent(row.cell.roundSd)),
	column('smallest detectable slowdown', (row) => formatPercent(row.cell.smallestDecidableThreshold)),
];

const MEASURED: Readonly<Record<MetricRow['source'], string>> = {
	solo: 'one server alone',
	duet: 'both at once',
	alternating: 'in turn',
	sequential: 'one after the other',
	counted: 'counts of requests',
};

/** Columns that follow the cell's name in the table of other metrics. */
export const METRIC_COLUMNS: readonly Column<MetricRow>[] = [
	column('metric', (row) => row.metric, 'left'),
	column('base', (row) => withUnit(row.base, row.unit)),
	column('head', (row) => withUnit(row.head, row.unit)),
	column('change', (row) => row.change),
	column(INTERVAL_LABEL, (row) => row.interval),
	column('measured with', (row) => MEASURED[row.source], 'left'),
];

/** Returns the footnote marks of a row, e.g. `¹ ³`. */
export function marksOf(row: Row): string {
	return row.notes.map(superscript).join(' ');
}

function withUnit(figure: string, unit: string): string {
	return figure === '–' ? figure : `${figure} ${unit}`;
}

/** The unit that all figures share; `requests/s` without figures, null if units differ. */
function sharedUnit(rows: readonly Row[]): string | null {
	const units = new Set(rows.filter((row) => row.base !== '–' || row.head !== '–').map((row) => row.unit));
	return units.size <= 1 ? ([...units][0] ?? 'requests/s') : null;
}

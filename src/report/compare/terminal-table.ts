import stringWidth from 'string-width';
import { formatScaleEnd } from '../../text/numbers.ts';
import { fitText } from '../../text/wrap.ts';
import type { Verdict } from '../../types/verdict.ts';
import {
	CELL,
	CHANGE,
	type Column,
	figureColumns,
	hasRanges,
	INTERVAL,
	marksOf,
	metricColumn,
	SCENARIO,
	SERVER,
} from './columns.ts';
import { drawInterval } from './interval-picture.ts';
import { VERDICT_MARKS } from './marks.ts';
import type { Report } from './report-model.ts';
import type { Row } from './rows.ts';

/** How the parts of a table are coloured; widths are measured before. */
export interface TablePaint {
	readonly head: (text: string) => string;
	readonly change: (text: string) => string;
	readonly verdict: (verdict: Verdict) => string;
}

const GAP = '  ';
const WIDE_PICTURE = 31;
const PICTURE = 19;
const NARROW_PICTURE = 13;
const NARROWEST_NAME = 12;

/** A table as text, and what it has that needs a legend. */
export interface LaidOutTable {
	readonly text: string;
	readonly pictures: boolean;
	/** Whether figures in it are ranges. */
	readonly ranges: boolean;
}

/** Returns all rows as an aligned table of at most `width` columns: the widest layout that fits, names cut as a last resort. */
export function layOutTable(report: Report, width: number, paint: TablePaint): LaidOutTable {
	if (report.rows.length === 0) return { text: '', pictures: false, ranges: false };
	const layouts = layoutsOf(report);
	const wide = layouts.find((columns) => widthOf(columns, report.rows) <= width);
	const columns = wide ?? (layouts.at(-1) as readonly Column<Row>[]);
	const widths = columns.map((each) => columnWidth(each, report.rows));
	const excess = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - width;
	if (excess > 0) widths[0] = Math.max((widths[0] ?? 0) - excess, NARROWEST_NAME);
	const head = columns.map(({ label, align }, at) => fitText(label, widths[at] ?? 0, align)).join(GAP);
	const lines = report.rows.map((row) =>
		columns.map((each, at) => paintCell(each, row, fitText(textOf(each, row), widths[at] ?? 0, each.align), paint)),
	);
	const text = [paint.head(head.trimEnd()), ...lines.map((cells) => cells.join(GAP).trimEnd())].join('\n');
	const pictures = columns.some(({ label }) => label.startsWith(formatScaleEnd(report.scale.low)));
	return { text, pictures, ranges: columns.some(({ label }) => label.startsWith('base')) && hasRanges(report.rows) };
}

const VERDICT: Column<Row> = {
	label: 'verdict',
	format: (row) => [`${VERDICT_MARKS[row.verdict]} ${row.verdict} ${marksOf(row)}`.trimEnd()],
	align: 'left',
};

/** Layouts from the widest to the narrowest; none leaves out the metric, without which rows of one cell look alike. */
function layoutsOf({ rows, scale }: Report): readonly (readonly Column<Row>[])[] {
	const picture = (width: number): Column<Row> => ({
		label: fitEnds(formatScaleEnd(scale.low), formatScaleEnd(scale.high), width),
		format: (row) => [drawInterval(row.span, row.cell.threshold, scale, width)],
		align: 'left',
	});
	const metric = metricColumn(rows);
	const figures = figureColumns(rows);
	const bare = figures.map((each, at) => ({ ...each, label: at === 0 ? 'base' : 'head' }));
	const pictured = [
		[SERVER, SCENARIO, ...metric, ...figures, CHANGE, INTERVAL, picture(WIDE_PICTURE), VERDICT],
		[CELL, ...metric, ...bare, CHANGE, INTERVAL, picture(PICTURE), VERDICT],
		[CELL, ...metric, CHANGE, INTERVAL, picture(PICTURE), VERDICT],
		[CELL, ...metric, CHANGE, INTERVAL, picture(NARROW_PICTURE), VERDICT],
	];
	return [
		...(rows.some(({ span }) => span !== null) ? pictured : []),
		[CELL, ...metric, CHANGE, INTERVAL, VERDICT],
		[CELL, ...metric, CHANGE, VERDICT],
	];
}

function paintCell(each: Column<Row>, row: Row, fitted: string, paint: TablePaint): string {
	if (each === CHANGE) return fitted.replace(row.change, paint.change(row.change));
	if (each !== VERDICT) return fitted;
	return fitted.replace(`${VERDICT_MARKS[row.verdict]} ${row.verdict}`, paint.verdict(row.verdict));
}

function textOf(each: Column<Row>, row: Row): string {
	return each
		.format(row)
		.map((piece) => (typeof piece === 'string' ? piece : Object.values(piece)[0]))
		.join('');
}

function columnWidth(each: Column<Row>, rows: readonly Row[]): number {
	return Math.max(stringWidth(each.label), ...rows.map((row) => stringWidth(textOf(each, row))));
}

function widthOf(columns: readonly Column<Row>[], rows: readonly Row[]): number {
	return columns.reduce((sum, each) => sum + columnWidth(each, rows) + GAP.length, -GAP.length);
}

/** The ends of the scale above the ends of the pictures. */
function fitEnds(low: string, high: string, width: number): string {
	return low + ' '.repeat(Math.max(width - low.length - high.length, 1)) + high;
}

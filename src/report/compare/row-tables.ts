import { countOf, formatScaleEnd } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Verdict } from '../../types/verdict.ts';
import { type Block, type Cell, section, type Table, type Tone } from '../document/document.ts';
import { keepTogether } from '../document/markdown-writer.ts';
import { drawIntervalSvg, idOf, writeChange, writeName, writeScenario, writeVerdict } from '../html/row-html.ts';
import { groupByServer } from '../shard-words.ts';
import {
	CELL,
	CHANGE,
	type Column,
	EVIDENCE,
	figureColumns,
	hasRanges,
	INTERVAL,
	INTERVAL_LABEL,
	METRIC_COLUMNS,
	marksOf,
	metricColumn,
	RANGES_NOTE,
	SCENARIO,
	SERVER,
	tableOf,
} from './columns.ts';
import { drawInterval, PICTURE_LEGEND } from './interval-picture.ts';
import { rowUrl } from './links.ts';
import { VERDICT_EMOJI, VERDICT_MARKS } from './marks.ts';
import type { Report } from './report-model.ts';
import { isTelling, type MetricRow, nameOf, nounOf, type Row } from './rows.ts';

export const MOST_SHOWN = 5;
const MOST_PACKAGES = 2;
const PICTURE_WIDTH = 21;
const [WIDE_PICTURE, PICTURE, NARROW_PICTURE] = [31, 19, 13];

const TONES: Readonly<Partial<Record<Verdict, Tone>>> = {
	regressed: 'fail',
	improved: 'improved',
	unchanged: 'pass',
	inconclusive: 'inconclusive',
	invalid: 'error',
};

const MARK: Column<Row> = { label: '', format: (row) => [VERDICT_EMOJI[row.verdict]], align: 'left' };

const CHANGE_OR_VERDICT: Column<Row> = {
	label: 'change',
	format: (row) =>
		row.span ? [{ strong: keepTogether(row.change) }, ` ${keepTogether(row.interval)}`] : [row.verdict],
	align: 'left',
};

/** Returns the most important rows for Markdown. The first three columns fit a phone. */
export function shortTable(report: Report, most: number, where: string, dashboard?: string): readonly Block[] {
	const { scale, matters, rows } = report;
	const [shown, folded] = [matters.slice(0, Math.min(most, MOST_SHOWN)), matters.slice(MOST_SHOWN, most)];
	const picture: Column<Row> = {
		label: `${formatScaleEnd(scale.low)} … ${formatScaleEnd(scale.high)}`,
		format: (row) => [{ code: keepTogether(drawInterval(row.span, row.cell.threshold, scale, PICTURE_WIDTH)) }],
		align: 'left',
	};
	const pictures = shown.some((row) => row.span) ? [picture] : [];
	const columns = [MARK, linkedRow(report, dashboard), CHANGE_OR_VERDICT, ...pictures];
	const hiddenCount = matters.length - most;
	const hidden = hiddenCount > 0 ? [[`and ${countOf(hiddenCount, `more ${nounOf(rows)}`)}${where}`]] : [];
	return [
		tableOf(columns, shown, { note: pictures.length > 0 ? `${PICTURE_LEGEND}; left is worse.` : '' }),
		section([countOf(folded.length, 'more row')], folded.length === 0 ? [] : [tableOf(columns, folded)], {
			folded: true,
		}),
		{ kind: 'paragraphs', items: hidden },
	];
}

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

/** Returns the most important rows for HTML. */
export function mattersTable(report: Report): Table {
	const { rows, matters, scale } = report;
	const columns: readonly Column<Row, Cell>[] = [
		verdictColumn(report),
		{ ...SERVER, format: (row) => ({ text: SERVER.format(row), html: writeName(row.server) }) },
		{ ...SCENARIO, format: (row) => ({ text: SCENARIO.format(row), html: writeScenario(row) }) },
		...metricColumn(rows),
		{ ...CHANGE, format: (row) => ({ text: CHANGE.format(row), html: writeChange(row) }) },
		{
			label: INTERVAL_LABEL,
			format: (row) => ({ text: [row.interval], html: drawIntervalSvg(row, scale) }),
			align: 'left',
		},
		...figureColumns(matters),
	];
	return tableOf(columns, matters, { cards: true, ids: matters.map(idOf), note: rangesNote(matters) });
}

function verdictColumn({ explained }: Report): Column<Row, Cell> {
	return {
		label: 'verdict',
		format: (row) => ({
			text: [keepTogether(`${VERDICT_EMOJI[row.verdict]} ${row.verdict} ${marksOf(row)}`.trimEnd())],
			html: writeVerdict(row, explained.has(row.id)),
		}),
		align: 'left',
	};
}

/** Returns all rows for pages; those of shards by server. */
export function allRows(report: Report): readonly Block[] {
	const { rows } = report;
	const columns: readonly Column<Row, Cell>[] = [
		{ ...CELL, format: (row) => ({ text: CELL.format(row), html: writeName(row.name) }) },
		verdictColumn(report),
		...metricColumn(rows),
		CHANGE,
		INTERVAL,
		...figureColumns(rows),
		...EVIDENCE,
	];
	const note = rangesNote(rows);
	const tableFor = (some: readonly Row[], isLast: boolean): Table =>
		tableOf(columns, some, {
			unbroken: true,
			cards: true,
			ids: some.map((row) => (isTelling(row) ? null : idOf(row))),
			note: isLast ? note : '',
		});
	const groups = groupByServer(rows);
	if (groups === null) return [tableFor(rows, true)];
	return groups.map((group, at) =>
		section([], [tableFor(group.rows, at === groups.length - 1)], {
			caption: phrase`${{ code: group.server }}: ${group.summary}`,
		}),
	);
}

function rangesNote(rows: readonly Row[]): string {
	return hasRanges(rows) ? RANGES_NOTE : '';
}

export function metricsTable(metrics: readonly MetricRow[]): Table {
	const name: Column<MetricRow> = { ...CELL, format: ({ row }) => CELL.format(row) };
	return tableOf([name, ...METRIC_COLUMNS], metrics, { unbroken: true });
}

/** Returns all rows for a terminal, without absolute figures if narrow. */
export function terminalTable({ rows, scale }: Report): Table {
	const [low, high] = [formatScaleEnd(scale.low), formatScaleEnd(scale.high)];
	const cell = { ...CELL, shrinks: true };
	const verdict: Column<Row, Cell> = {
		label: 'verdict',
		format: (row) => ({
			text: [`${VERDICT_MARKS[row.verdict]} ${row.verdict} ${marksOf(row)}`.trimEnd()],
			tone: TONES[row.verdict],
		}),
		align: 'left',
	};
	const change: Column<Row> = { ...CHANGE, format: (row) => [{ strong: row.change }] };
	const metric = metricColumn(rows);
	const figures = figureColumns(rows);
	const bare = figures.map((each, at) => ({ ...each, label: at === 0 ? 'base' : 'head' }));
	const ranges = rangesNote(rows);
	const tableFor = (first: readonly Column<Row>[], width: number | null, note: string): Table => {
		const picture: Column<Row> = {
			label: `${low}${' '.repeat(Math.max((width ?? 0) - low.length - high.length, 1))}${high}`,
			format: (row) => [drawInterval(row.span, row.cell.threshold, scale, width ?? 0)],
			align: 'left',
		};
		const legend = width === null ? '' : `Picture, ${low} to ${high}: ${PICTURE_LEGEND}.`;
		const columns = [...first, ...(width === null ? [] : [picture]), verdict];
		return tableOf<Row>(columns, rows, { note: `${legend}\n${note}`.trim() });
	};
	const pictured = [
		tableFor([SERVER, SCENARIO, ...metric, ...figures, change, INTERVAL], WIDE_PICTURE, ranges),
		tableFor([cell, ...metric, ...bare, change, INTERVAL], PICTURE, ranges),
		tableFor([cell, ...metric, change, INTERVAL], PICTURE, ''),
		tableFor([cell, ...metric, change, INTERVAL], NARROW_PICTURE, ''),
	];
	const [widest, ...narrower] = [
		...(rows.some(({ span }) => span !== null) ? pictured : []),
		tableFor([cell, ...metric, change, INTERVAL], null, ''),
		tableFor([cell, ...metric, change], null, ''),
	];
	return { ...(widest as Table), narrower };
}

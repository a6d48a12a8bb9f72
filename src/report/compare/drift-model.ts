import { labelOf } from '../../judge/row-words.ts';
import { signedLogOf } from '../../stats/estimate.ts';
import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval, formatPercent, INTERVAL_95 } from '../../text/numbers.ts';
import { capitalised, type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS, type Metric } from '../../types/metric.ts';
import type { Cell, Table } from '../document/document.ts';
import type { Audience } from './audience.ts';
import { CELL, type Column, column, tableOf } from './columns.ts';
import { branchOf, type DriftRow, driftRows, formatDriftLimit, isWorse, shownAddition } from './drift-rows.ts';
import { headWord } from './fault-words.ts';
import { nameOf, type Row } from './rows.ts';

export interface DriftReport {
	/** Rows below their anchor, worst first. */
	readonly lines: readonly Phrase[];
	readonly rows: readonly DriftRow[];
	/** One harmless line, not yet escaped. */
	readonly branch: string;
	readonly table: Table;
}

/** Number of lines shown outside the collapsed section. */
export const MOST_LINES = 5;

const DRIFT_NOTE =
	'Each bar is a commit of the branch against the anchor, oldest first, at most 30. A lower bar is slower. The interval holds for all rows together. Without a significant change in head: –. Limit: drift-threshold.';

const HISTORY: Column<DriftRow, Cell> = {
	label: 'baselines',
	format: (row) => ({ text: [{ code: drawHistory(levelsOf(row)) }], html: drawHistorySvg(levelsOf(row)) }),
	align: 'left',
};

export function buildDriftReport(rows: readonly Row[], audience: Audience): DriftReport {
	const rowsWithDrift = driftRows(rows);
	const [first] = rowsWithDrift;
	return {
		lines: rowsWithDrift.filter(isTold).map((row) => describeRowDrift(row, audience)),
		rows: rowsWithDrift,
		branch: first ? branchOf(first.drift) : '',
		table: tableOf(columnsFor(rowsWithDrift), rowsWithDrift, { note: DRIFT_NOTE, unbroken: true }),
	};
}

/** A row's history as log ratios; negative is worse. */
function levelsOf({ row, drift }: DriftRow): readonly number[] {
	return drift.history.map((change) => signedLogOf(row.cell.metric, change));
}

function columnsFor(rows: readonly DriftRow[]): readonly Column<DriftRow, Cell>[] {
	const metric = column<DriftRow>('metric', ({ row }) => labelOf(row.cell.metric), 'left');
	const only = rows.every(({ row }) => row.cell.metric === 'throughput');
	return [
		{ ...CELL, format: ({ row }) => CELL.format(row) },
		...(only ? [] : [metric]),
		HISTORY,
		{ label: 'since', format: ({ drift }) => [{ code: plainText(drift.anchor, NAME_LIMIT) }], align: 'left' },
		column(
			'so far',
			({ drift }) => `${formatChange(drift.main.change)}${drift.verdict === 'unsettled' ? ' (not settled)' : ''}`,
		),
		column(INTERVAL_95, ({ drift }) => formatInterval(drift.main)),
		column('head', (row) => formatChange(shownAddition(row))),
		column('together', (row) => formatChange(shownAddition(row) === null ? null : row.drift.total)),
		column('limit', formatDriftLimit),
	];
}

/** True if main is or seems below its anchor, or would be with head. */
function isTold(row: DriftRow): boolean {
	const { verdict, adds, main } = row.drift;
	if (adds === null || verdict === 'level') return false;
	return verdict !== 'unsettled' || isWorse(row, main.change);
}

function describeRowDrift(drifting: DriftRow, audience: Audience): Phrase {
	const { row, drift } = drifting;
	const { main, anchor, policy, total } = drift;
	const { words }: Metric = METRICS[row.cell.metric];
	const branch = { text: branchOf(drift) };
	const direction = isWorse(drifting, main.change) ? (words?.worse ?? 'slower') : (words?.better ?? 'faster');
	const level = phrase`${{ strong: `${formatPercent(Math.abs(main.change), 1)} ${direction}` }} ${formatInterval(main)} than ${{ code: plainText(anchor, NAME_LIMIT) }}`;
	if (drift.verdict === 'unsettled') {
		return phrase`${nameOf(row)}: ${branch} was ${level} when last measured; another baseline has to confirm it.`;
	}
	const limit = ` (limit ${formatDriftLimit(drifting).replace(/^[−+]/, '')})`;
	const adds = shownAddition(drifting);
	const head = adds === null ? phrase`no significant change (${formatChange(row.cell.change)})` : [formatChange(adds)];
	const together =
		drift.verdict === 'adds'
			? phrase`, together ${{ strong: formatChange(total) }}${policy === 'enforce' ? '' : ' (not enforced)'}`
			: [];
	return phrase`${nameOf(row)}: ${branch} is ${level}${drift.verdict === 'below' ? '' : limit}. ${capitalised([headWord(audience)])}: ${head}${together}.`;
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Least range of the scale (log ratio), so noise does not look large. */
const LEAST_SPAN = 0.04;
const [WIDTH, HEIGHT, PAD] = [150, 28, 3];

/** The scale of a history in log ratios. It includes the anchor (0). */
function historyScale(levels: readonly number[]): readonly [low: number, high: number] {
	const high = Math.max(0, ...levels);
	return [Math.min(0, high - LEAST_SPAN, ...levels), high];
}

/** Returns block characters; a higher block is better. */
export function drawHistory(levels: readonly number[]): string {
	const [low, high] = historyScale(levels);
	const top = BARS.length - 1;
	return levels.map((level) => BARS[Math.round(((level - low) / (high - low)) * top)] ?? BARS[0]).join('');
}

/** Returns inline SVG of log ratios: curve, last point, and a line at the anchor. */
function drawHistorySvg(levels: readonly number[]): string {
	const [low, high] = historyScale(levels);
	const x = (index: number) => (PAD + (index / Math.max(1, levels.length - 1)) * (WIDTH - 2 * PAD)).toFixed(1);
	const y = (level: number) => (PAD + ((high - level) / (high - low)) * (HEIGHT - 2 * PAD)).toFixed(1);
	const points = levels.map((level, index) => `${x(index)},${y(level)}`);
	const last = levels.at(-1);
	return [
		`<svg class="history" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">`,
		`<line class="zero" x1="0" x2="${WIDTH}" y1="${y(0)}" y2="${y(0)}"/>`,
		`<polyline class="curve" points="${points.join(' ')}"/>`,
		last === undefined ? '' : `<circle class="dot" cx="${x(levels.length - 1)}" cy="${y(last)}" r="2.5"/>`,
		'</svg>',
	].join('');
}

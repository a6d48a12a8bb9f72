/** Which place each row of a scenario has. */
import { METRICS } from '../types/metric.ts';
import type { MeasureRow, Rank } from '../types/ranking/measure.ts';
import { aloneRatio } from './alone/alone-ratio.ts';
import { isRate, speedOf } from './alone/speed.ts';
import { type Rankable, rankByInterval } from './rank.ts';

/**
 * Returns rows of one scenario with their places: by the intervals of their shares. A row whose interval is not known yet may be
 * anywhere.
 *
 * - Servers in worker processes have no shares: they are told apart by the requests per second of their rounds, and have no place after
 *   a single one.
 * - A preset ranks by figures, as its page does.
 * - Figures of several machines give no places, and neither do those with more workers than CPUs, which show what the machine does.
 */
export function placeRows(rows: readonly MeasureRow[], preset: string | null): MeasureRow[] {
	const measured = rows.filter(({ state, alone }) => state === 'measured' && alone !== null);
	const isPaired = measured.some(({ share }) => share !== null);
	if (!isPaired && new Set(measured.map(({ shard }) => shard)).size > 1) return [...rows];
	const able = measured.filter(({ oversubscribed }) => !oversubscribed);
	const isByRounds = !isPaired && preset === null && able.length > 1 && able.every(({ judgedBy }) => isRate(judgedBy));
	const placed = isByRounds ? able.filter(({ throughputs }) => throughputs.length > 1) : able;
	const ranks = isByRounds
		? rankByRounds(placed)
		: rankByInterval(placed.map((row) => (isPaired ? (row.share ?? ANYWHERE) : figureOf(row))));
	const places = new Map<MeasureRow, Rank | undefined>(placed.map((row, at) => [row, ranks[at]]));
	return rows.map((row) => ({ ...row, rank: places.get(row) ?? null }));
}

const ANYWHERE: Rankable = { value: 0, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** As `rankByInterval`, but by the interval of each ratio: alone nothing has an interval of its own. */
function rankByRounds(rows: readonly MeasureRow[]): readonly Rank[] {
	const isAbove = (one: MeasureRow, other: MeasureRow) => (aloneRatio(one, other)?.low ?? 0) > 1;
	return rows.map((row) => ({
		first: 1 + rows.filter((other) => isAbove(other, row)).length,
		last: rows.length - rows.filter((other) => isAbove(row, other)).length,
	}));
}

function figureOf(row: MeasureRow): Rankable {
	const figure = isRate(row.judgedBy) ? speedOf(row) : lessIsMore(row);
	return figure === null ? ANYWHERE : { value: figure, low: figure, high: figure };
}

function lessIsMore({ alone, judgedBy }: MeasureRow): number | null {
	const figure = alone?.metrics[judgedBy] ?? null;
	return figure === null || METRICS[judgedBy].better === 'higher' ? figure : -figure;
}

import { METRICS } from '../types/metric.ts';
import type { Rank, RankingRow } from '../types/ranking/ranking.ts';
import { aloneRatio, isRate, speedOf } from './ratios.ts';

const ANYWHERE: Rankable = { value: 0, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

/** Higher is better. */
export interface Rankable {
	readonly value: number;
	readonly low: number;
	readonly high: number;
}

/**
 * Returns each row's places, in the order given. `first` is 1 + the number of rows whose intervals are wholly above,
 * `last` the number of rows less those wholly below. Disjoint 95 % intervals are stronger evidence than a test at 5 %.
 */
export function rankByInterval(rows: readonly Rankable[]): readonly Rank[] {
	return rows.map((row) => ({
		first: 1 + rows.filter((other) => other.low > row.high).length,
		last: rows.length - rows.filter((other) => other.high < row.low).length,
	}));
}

export function writeRank({ first, last }: Rank): string {
	return first === last ? String(first) : `${first}-${last}`;
}

export function inRankOrder<T extends { readonly rank: Rank | null }>(
	rows: readonly T[],
	figureOf: (row: T) => number | null,
): T[] {
	const key = (row: T): number => figureOf(row) ?? Number.NEGATIVE_INFINITY;
	return rows.toSorted((one, other) => {
		if (one.rank === null || other.rank === null) return Number(one.rank === null) - Number(other.rank === null);
		return one.rank.first - other.rank.first || key(other) - key(one);
	});
}

/**
 * Returns one scenario's rows with places, by the intervals of their shares. A row without an interval may have any
 * place. Worker processes are placed by requests per second, presets by figures. Figures of several machines, and rows
 * with more workers than CPUs, get no places.
 */
export function placeRows(rows: readonly RankingRow[], preset: string | null): RankingRow[] {
	const measured = rows.filter(({ state, alone }) => state === 'measured' && alone !== null);
	const isPaired = measured.some(({ share }) => share !== null);
	if (!isPaired && new Set(measured.map(({ shard }) => shard)).size > 1) return [...rows];
	const able = measured.filter(({ oversubscribed }) => !oversubscribed);
	const isByRounds = !isPaired && preset === null && able.length > 1 && able.every(({ judgedBy }) => isRate(judgedBy));
	const placed = isByRounds ? able.filter(({ throughputs }) => throughputs.length > 1) : able;
	const ranks = isByRounds
		? rankByRounds(placed)
		: rankByInterval(placed.map((row) => (isPaired ? (row.share ?? ANYWHERE) : figureOf(row))));
	const places = new Map<RankingRow, Rank | undefined>(placed.map((row, at) => [row, ranks[at]]));
	return rows.map((row) => ({ ...row, rank: places.get(row) ?? null }));
}

/** Uses the interval of each ratio of two rows, because figures alone have no interval. */
function rankByRounds(rows: readonly RankingRow[]): readonly Rank[] {
	const isAbove = (one: RankingRow, other: RankingRow) => (aloneRatio(one, other)?.low ?? 0) > 1;
	return rows.map((row) => ({
		first: 1 + rows.filter((other) => isAbove(other, row)).length,
		last: rows.length - rows.filter((other) => isAbove(row, other)).length,
	}));
}

function figureOf(row: RankingRow): Rankable {
	const figure = isRate(row.judgedBy) ? speedOf(row) : lessIsMore(row);
	return figure === null ? ANYWHERE : { value: figure, low: figure, high: figure };
}

function lessIsMore({ alone, judgedBy }: RankingRow): number | null {
	const figure = alone?.metrics[judgedBy] ?? null;
	return figure === null || METRICS[judgedBy].better === 'higher' ? figure : -figure;
}

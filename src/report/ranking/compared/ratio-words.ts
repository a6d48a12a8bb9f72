/** Speed ratios in one sentence. */
import { aloneRatio, ratioOf, speedRatio } from '../../../rank/ratios.ts';
import { formatPercent } from '../../../text/numbers.ts';
import { joinAnd, joinPhrases, type Phrase, phrase } from '../../../text/phrase.ts';
import type { Ranged, RankingRow } from '../../../types/ranking/ranking.ts';
import type { RankingSetup } from '../../../types/ranking/ranking-setup.ts';
import { nameOf } from '../ranking-words.ts';

/** With more, only the nearest and the furthest are named, or the first of a tie. */
const MOST_NAMED = 4;
/** Ratios from here on have one decimal, smaller ones two. */
const COARSE_RATIO = 1.2;

interface Compared {
	readonly row: RankingRow;
	readonly ratio: Ranged;
}

/** Returns how much faster the highlighted, or else the first, server is; null if fewer than two rows had enough CPUs. */
export function describeRatios(
	rows: readonly RankingRow[],
	highlight: string | null,
	{ preset }: Pick<RankingSetup, 'preset'>,
): Phrase | null {
	const usableRows = rows.filter(({ oversubscribed }) => !oversubscribed);
	const paired = usableRows.filter(({ logShare }) => logShare !== null);
	const placed = paired.length > 0 ? paired : usableRows.filter(({ rank }) => rank !== null);
	const hero = placed.find(({ server }) => server === highlight) ?? placed[0];
	if (hero === undefined || placed.length < 2) return null;
	const others = placed.flatMap((row) => (row === hero ? [] : [{ row, ratio: ratioTo(hero, row, preset) }]));
	const slower = others.filter(({ ratio }) => ratio.low > 1);
	const faster = others.filter(({ ratio }) => ratio.high < 1);
	const tied = others.filter((other) => !slower.includes(other) && !faster.includes(other));
	const parts = [
		slower.length === 0 ? null : phrase`is${perCpu(hero, slower)} about ${describeSlower(slower)}`,
		faster.length === 0 ? null : phrase`reaches${perCpu(hero, faster)} ${describeFaster(faster)}`,
		tied.length === 0 ? null : phrase`is about as fast as ${namesOf(tied)} (intervals overlap)`,
	].filter((part) => part !== null);
	return phrase`${nameOf(hero.server)} ${joinPhrases(parts, '; it ')}.`;
}

/** If CPU time per request decided, the ratio is one of CPU time. */
function perCpu(hero: RankingRow, others: readonly Compared[]): string {
	return [hero, ...others.map(({ row }) => row)].some(({ judgedBy }) => judgedBy === 'cpu-per-request')
		? ', by CPU time per request,'
		: '';
}

/** Expects the nearest server first. */
function describeSlower(slower: readonly Compared[]): Phrase {
	const write = ({ row, ratio }: Compared) => phrase`${times(ratio.value)} times as fast as ${nameOf(row.server)}`;
	const [next, last] = [slower[0], slower.at(-1)];
	if (slower.length <= MOST_NAMED || next === undefined || last === undefined) return joinAnd(slower.map(write));
	return phrase`${write(next)}, the next, and ${write(last)}, the slowest`;
}

function describeFaster(faster: readonly Compared[]): Phrase {
	const write = ({ row, ratio }: Compared) => phrase`${formatPercent(ratio.value, 0)} of ${nameOf(row.server)}`;
	const [first, next] = [faster[0], faster.at(-1)];
	if (faster.length <= MOST_NAMED || first === undefined || next === undefined) return joinAnd(faster.map(write));
	return phrase`${write(first)}, the fastest, and ${write(next)}, the next`;
}

function namesOf(tied: readonly Compared[]): Phrase {
	const names = tied.map(({ row }) => nameOf(row.server));
	if (names.length <= MOST_NAMED) return joinAnd(names);
	return joinAnd([...names.slice(0, MOST_NAMED), [`${names.length - MOST_NAMED} more`]]);
}

/** Without an interval on a preset's page, because such pages have none. */
function ratioTo(one: RankingRow, other: RankingRow, preset: string | null): Ranged {
	if (one.logShare !== null && other.logShare !== null) return ratioOf(one.logShare, other.logShare);
	const ranged = preset === null ? aloneRatio(one, other) : null;
	if (ranged !== null) return ranged;
	const value = speedRatio(one, other);
	return { value, low: value, high: value };
}

function times(value: number): string {
	return value.toFixed(value < COARSE_RATIO ? 2 : 1);
}

/** Pure: figures of each level from the rounds of `benchmarks/isolation.ts`. */
import { mean, sampleVariance } from 'simple-statistics';
import { studentQuantile } from '../../src/stats/distributions.ts';
import { momentsOf } from '../../src/stats/moments.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { IsolationLevel } from '../../src/types/isolation.ts';
import type { Seconds } from '../../src/types/units.ts';

/** A level of isolation; `unwatched` is `none` without the search for other connections. */
export type TriedLevel = IsolationLevel | 'unwatched';

/** One round of a server against itself at one level. */
export interface LevelRound {
	readonly round: number;
	readonly level: TriedLevel;
	/** Base and head have exchanged users or namespaces. */
	readonly swapped: boolean;
	readonly seconds: Seconds;
	/** Log ratio head against base of each cell. */
	readonly d: Readonly<Record<string, number>>;
}

/** A mean with the ends of its 95 % interval. */
export interface Mean {
	readonly mean: number;
	readonly low: number;
	readonly high: number;
}

/** Figures of one level, in log units. */
export interface LevelFigures {
	readonly level: TriedLevel;
	readonly rounds: number;
	readonly secondsPerRound: Seconds;
	/** Mean log ratio over all cells; 0 without bias. */
	readonly bias: Mean;
	/** The bias minus that of `none` in the same rounds; null for `none` itself. */
	readonly toNone: Mean | null;
	/**
	 * Effect of running as head's user or in head's namespaces: half of the change when both sides swap them. Null for
	 * `none`.
	 */
	readonly ofUser: Mean | null;
	/** Standard deviation of a round's log ratio: root of the geometric mean of the cells' variances. */
	readonly sd: number;
	/**
	 * Cost of certainty (variance × seconds per round) over that of `none`, with its one-sided upper 95 % limit; null for
	 * `none`.
	 */
	readonly cost: { readonly ratio: number; readonly limit: number } | null;
}

const RESAMPLES = 4000;
const SEED = 20_261_122;
const CONFIDENCE = 0.95;

/**
 * Returns the figures of each level with at least three rounds; comparisons with `none` use only rounds that both have.
 */
export function describeLevels(rounds: readonly LevelRound[]): LevelFigures[] {
	const levels = [...new Set(rounds.map(({ level }) => level))].filter(
		(level) => rounds.filter((one) => one.level === level).length > 2,
	);
	return levels.map((level) => {
		const group = rounds.filter((one) => one.level === level);
		const pairs = level === 'none' ? [] : pairUp(rounds, level);
		const differences = pairs.map(([none, other]) => meanOf(other) - meanOf(none));
		return {
			level,
			rounds: group.length,
			secondsPerRound: mean(group.map(({ seconds }) => seconds)),
			bias: meanWithInterval(group.map(meanOf)),
			toNone: pairs.length > 2 ? meanWithInterval(differences) : null,
			ofUser: level === 'none' ? null : effectOfUser(group),
			sd: Math.exp(logVariance(group) / 2),
			cost: pairs.length > 2 ? costRatio(pairs) : null,
		};
	});
}

type RoundPair = readonly [none: LevelRound, other: LevelRound];

function pairUp(rounds: readonly LevelRound[], level: TriedLevel): RoundPair[] {
	const nones = new Map(rounds.filter((one) => one.level === 'none').map((one) => [one.round, one]));
	return rounds.flatMap((one) => {
		const none = nones.get(one.round);
		return one.level === level && none !== undefined ? [[none, one] as const] : [];
	});
}

/** Half of the rounds swap the users, which cancels the bias of the sides themselves. */
function effectOfUser(rounds: readonly LevelRound[]): Mean | null {
	if (!rounds.some(({ swapped }) => swapped)) return null;
	return meanWithInterval(rounds.map((one) => (one.swapped ? -1 : 1) * meanOf(one)));
}

/**
 * Source of the limit: percentile bootstrap over rounds, which keeps both levels of a round and all its cells together.
 */
function costRatio(pairs: readonly RoundPair[]): { ratio: number; limit: number } {
	const random = createRandom(SEED);
	const draw = () => pairs[Math.floor(random.next() * pairs.length)] as RoundPair;
	const resampled = Array.from({ length: RESAMPLES }, () => logCostRatio(pairs.map(draw))).sort((a, b) => a - b);
	const limit = resampled[Math.ceil(CONFIDENCE * RESAMPLES) - 1] ?? Number.NaN;
	return { ratio: Math.exp(logCostRatio(pairs)), limit: Math.exp(limit) };
}

function logCostRatio(pairs: readonly RoundPair[]): number {
	const [none, other] = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
	const cost = (rounds: readonly LevelRound[]) =>
		logVariance(rounds) + Math.log(mean(rounds.map(({ seconds }) => seconds)));
	return cost(other) - cost(none);
}

/** Mean over the cells of the log variance between rounds. */
function logVariance(rounds: readonly LevelRound[]): number {
	const cells = Object.keys(rounds[0]?.d ?? {});
	return mean(cells.map((cell) => Math.log(sampleVariance(rounds.map(({ d }) => d[cell] ?? Number.NaN)))));
}

function meanOf({ d }: LevelRound): number {
	return mean(Object.values(d));
}

function meanWithInterval(values: readonly number[]): Mean {
	const moments = momentsOf(values);
	if (moments === null) throw new RangeError('no rounds');
	const half = -studentQuantile((1 - CONFIDENCE) / 2, moments.df) * moments.se;
	return { mean: moments.mean, low: moments.mean - half, high: moments.mean + half };
}

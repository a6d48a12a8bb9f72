import { studentQuantile } from '../stats/distributions.ts';
import type { Interval } from '../types/verdict.ts';

/** Log ratios; negative is worse. */
export interface LogEstimate {
	readonly centre: number;
	readonly low: number;
	readonly high: number;
}

export interface Share {
	readonly share: number;
	/** Null if the loss is not clear of 0. */
	readonly shareInterval: Pick<Interval, 'low' | 'high'>;
}

/** d beside base, in the same rounds. */
export interface ProofRounds {
	readonly head: readonly number[];
	readonly without: readonly number[];
}

export interface ProvenShare extends Share {
	readonly head: LogEstimate;
	readonly without: LogEstimate;
}

const END_ERROR = 0.05;
const FEWEST = { head: 2, without: 4 } as const;
/** Half-width of the share at which a proof ends. */
const PRECISE: number = 0.15;
/** Half-width of the loss, as a part of it. */
const UNCLEAR_LOSS = 0.35;

/** With intervals of 90 %; null with too few rounds. */
export function shareFrom({ head, without }: ProofRounds): ProvenShare | null {
	const df = head.length + without.length - 2;
	if (head.length === 0 || without.length === 0 || df < 1) return null;
	const [lost, left] = [meanOf(head), meanOf(without)];
	const squares = [...head.map((d) => (d - lost) ** 2), ...without.map((d) => (d - left) ** 2)];
	const sd = Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / df);
	const reach = studentQuantile(1 - END_ERROR, df) * sd;
	const estimate = (centre: number, rounds: number) => {
		const half = reach / Math.sqrt(rounds);
		return { centre, low: centre - half, high: centre + half };
	};
	const both = { head: estimate(lost, head.length), without: estimate(left, without.length) };
	return { ...both, ...shareOf(both.head, both.without) };
}

/** Returns what to measure next; nothing once the share is precise, or surely below `least`. */
export function nextRound(rounds: ProofRounds, least: number): readonly (keyof ProofRounds)[] {
	const missing = (['without', 'head'] as const).filter((kind) => rounds[kind].length < FEWEST[kind]);
	if (missing.length > 0) return missing;
	const found = shareFrom(rounds);
	if (found === null) return ['without', 'head'];
	const { low, high } = found.shareInterval;
	if (high !== null && low !== null && (high < least || high - low <= 2 * PRECISE)) return [];
	const [x, u, v] = [found.head.centre, halfOf(found.head), halfOf(found.without)];
	const headMatters = low === null || u > UNCLEAR_LOSS * Math.abs(x) || u * Math.abs(found.without.centre / x) > v;
	return headMatters ? ['without', 'head'] : ['without'];
}

/**
 * Returns the share of head's loss that is gone, 1 − θ(without) / θ(head). Source of the interval: Fieller 1954, with
 * half-widths in place of t · se.
 */
export function shareOf(head: LogEstimate, without: LogEstimate): Share {
	const [x, y] = [head.centre, without.centre];
	const [u, v] = [halfOf(head), halfOf(without)];
	const share = 1 - y / x;
	const a = x * x - u * u;
	const root = (x * y) ** 2 - a * (y * y - v * v);
	if (x >= 0 || !(a > 0) || !(root >= 0)) return { share, shareInterval: { low: null, high: null } };
	const ends = [1 - (x * y + Math.sqrt(root)) / a, 1 - (x * y - Math.sqrt(root)) / a];
	return { share, shareInterval: { low: Math.min(...ends), high: Math.max(...ends) } };
}

function halfOf({ low, high }: LogEstimate): number {
	return (high - low) / 2;
}

function meanOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function mayBeZero({ low, high }: LogEstimate): boolean {
	return low <= 0 && high >= 0;
}

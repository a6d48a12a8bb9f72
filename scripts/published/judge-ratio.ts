/** Whether a published ratio holds here, and if not, why: by rule, so that nobody chooses the answer. */
import type { OurRatio } from './our-ratio.ts';
import { type Effect, explains, type PublishedRatio } from './published-pages.ts';

/** Ratios that differ by no more than this are called the same: other versions of a framework make as much. */
const CLOSE = 1.1;

/** What the version of Node must leave of a difference at most (log units) to explain a part of it. */
const HALF = 0.5;

/** Whether two ratios are within 10 %; `open` where our interval is too wide to say, or there is none. */
export type Closeness = 'yes' | 'no' | 'open';

/** What became of a ratio, in the order in which tables count. */
export const OUTCOMES = ['same', 'node', 'partly', 'making', 'unknown', 'open', 'missing'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A ratio of a page beside ours. */
export interface SetBeside extends PublishedRatio {
	/** Null where it was not measured. */
	readonly ours: OurRatio | null;
	/** Why not; null where it was. */
	readonly reason: string | null;
	/** Ours on the version of Node that the page ran on; null where that was not measured. */
	readonly own: OurRatio | null;
}

/** Returns whether ours is within 10 % of a published ratio. */
export function closeness(ratio: number, { value, low, high }: Pick<OurRatio, 'value' | 'low' | 'high'>): Closeness {
	if (low === null || high === null) return 'open';
	const [least, most] = [ratio / CLOSE, ratio * CLOSE];
	if (high < least || low > most) return 'no';
	return value >= least && value <= most ? 'yes' : 'open';
}

/** Returns what a ratio is judged by: ours, or where that was measured on the page's version of Node alone, that. */
export function judgedOf({ ours, own }: SetBeside): OurRatio | null {
	return ours ?? own;
}

/** Returns what became of a ratio. */
export function outcomeOf(one: SetBeside): Outcome {
	const judged = judgedOf(one);
	if (judged === null) return 'missing';
	switch (closeness(one.ratio, judged)) {
		case 'yes':
			return 'same';
		case 'open':
			return 'open';
		case 'no':
			return byNode(one) ?? (reasonsOf(one).surely.length > 0 ? 'making' : 'unknown');
	}
}

/**
 * Returns whether the version of Node explains why a ratio differs, all of it or at least half of the logarithm. Nothing where ours on
 * that version is not known to 10 %, or cannot be told from ours on the other one.
 */
function byNode({ ratio, ours, own }: SetBeside): 'node' | 'partly' | null {
	if (ours === null || own === null || ours.byCpu !== own.byCpu || !isPrecise(own) || !areApart(ours, own)) return null;
	if (closeness(ratio, own) === 'yes') return 'node';
	const [before, after] = [Math.abs(Math.log(ratio / ours.value)), Math.abs(Math.log(ratio / own.value))];
	return after <= HALF * before ? 'partly' : null;
}

function isPrecise({ value, low, high }: OurRatio): boolean {
	return low !== null && high !== null && high <= value * CLOSE && low >= value / CLOSE;
}

function areApart(one: OurRatio, other: OurRatio): boolean {
	if (one.low === null || one.high === null || other.low === null || other.high === null) return false;
	return one.high < other.low || other.high < one.low;
}

/** Returns the numbers of the artefacts that make a ratio differ as it does, and of those that may make it differ in any way. */
export function reasonsOf(one: SetBeside): {
	readonly surely: readonly number[];
	readonly perhaps: readonly number[];
} {
	const { ratio, artefacts } = one;
	const judged = judgedOf(one);
	if (judged === null || closeness(ratio, judged) !== 'no') return { surely: [], perhaps: [] };
	const numbers = (those: (effect: Effect | null) => boolean) =>
		artefacts.filter(({ effect }) => those(effect)).map(({ number }) => number);
	return {
		surely: numbers((effect) => explains(effect, ratio, judged.value)),
		perhaps: numbers((effect) => effect === null),
	};
}

/** Returns the reason of a ratio that differs, in a few words; null where it does not. */
export function wordReason(one: SetBeside): string | null {
	const { ours, own, ratio } = one;
	const outcome = outcomeOf(one);
	const { surely, perhaps } = reasonsOf(one);
	const may = perhaps.length === 0 ? '' : `; perhaps ${perhaps.join(', ')}`;
	switch (outcome) {
		case 'node':
			return `Node ${own?.node}`;
		case 'partly':
			return `Node ${own?.node} explains part of it (from ${ours?.value.toFixed(2)} to ${own?.value.toFixed(2)})`;
		case 'making':
			return `${surely.join(', ')}${may}`;
		case 'unknown':
			return `not known${may}`;
		case 'same':
			return own !== null && closeness(ratio, own) === 'no' ? `not on Node ${own.node}` : null;
		default:
			return null;
	}
}

/** Decides by rule whether a published ratio holds here, and if not, why. */
import type { OurRatio } from './our-ratio.ts';
import { type Effect, explains, type PublishedRatio } from './published-pages.ts';

/** Ratios that differ by no more than this factor are the same: versions of a framework differ as much. */
const CLOSE = 1.1;

/**
 * A version of Node explains a part of a difference if at most this part of it (log units) remains there.
 */
const HALF = 0.5;

/** Whether two ratios are within 10 %; `open` when our interval is too wide or missing. */
export type Closeness = 'yes' | 'no' | 'open';

/** Outcome of a ratio, in the order of the tables' columns. */
export const OUTCOMES = ['same', 'node', 'partly', 'making', 'unknown', 'open', 'missing'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A published ratio beside ours. */
export interface SetBeside extends PublishedRatio {
	/** Null if it was not measured. */
	readonly ours: OurRatio | null;
	/** Why it was not measured; null if it was. */
	readonly reason: string | null;
	/** Ours on the page's version of Node; null if it was not measured there. */
	readonly own: OurRatio | null;
}

/** Returns whether ours is within 10 % of a published ratio. */
export function closeness(ratio: number, { value, low, high }: Pick<OurRatio, 'value' | 'low' | 'high'>): Closeness {
	if (low === null || high === null) return 'open';
	const [least, most] = [ratio / CLOSE, ratio * CLOSE];
	if (high < least || low > most) return 'no';
	return value >= least && value <= most ? 'yes' : 'open';
}

/** Returns the ratio to judge by: ours, or if only that exists, ours on the page's version of Node. */
export function judgedOf({ ours, own }: SetBeside): OurRatio | null {
	return ours ?? own;
}

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
 * Returns whether the version of Node explains the difference of a ratio, all of it or at least half of its logarithm.
 * Null if ours on that version is not known to within 10 %, or its interval overlaps that of ours on the other version.
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

/**
 * Returns the numbers of the artefacts that explain the direction of a difference, and of those that may explain any.
 */
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

/** Returns in a few words why a ratio differs; null if it does not. */
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

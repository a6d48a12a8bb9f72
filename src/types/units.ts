/** A ratio without unit: 0.05 is 5 %, −0.061 is a drop of 6.1 %. Never a percent string. */
export type Fraction = number;
/** Seconds of wall or CPU time. */
export type Seconds = number;
/** Whole microseconds. */
export type Microseconds = number;
export type Bytes = number;

export const SIDES = ['base', 'head'] as const;
/** What is compared. Never old/new, before/after or current. */
export type Side = (typeof SIDES)[number];

/** One value per side. */
export type Sides<T> = Record<Side, T>;

/** The other side. */
export function otherSide(side: Side): Side {
	return side === 'base' ? 'head' : 'base';
}

/** Something the reader must know about a number, carried in results and rendered once as a footnote. */
export interface Warning {
	/** Stable kebab-case identifier, e.g. `generator-bound`. */
	readonly code: string;
	/** One sentence: what, where, what it means for the verdict. May contain text of the code under test. */
	readonly message: string;
	/** Whose fault it is, for a fault; absent or null when it is nobody's, or not known. */
	readonly side?: Side | null;
	/** A fault that was seen once, of a side that had been fine before: another run may not have it. */
	readonly once?: true;
}

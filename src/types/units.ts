import { define, described, enumOf, type Infer, literal, objectOf, optional, type Schema, TEXT } from './schema.ts';

/** A ratio without unit: 0.05 is 5 %, −0.061 is a drop of 6.1 %. Never a percent string. */
export type Fraction = number;
/** Seconds of wall or CPU time. */
export type Seconds = number;
/** Whole microseconds. */
export type Microseconds = number;
export type Bytes = number;

/** Size of a number in a file: a benchmark has none beyond, and reports write those below digit by digit. */
export const LARGEST_NUMBER = 1e16;

export const SIDES = ['base', 'head'] as const;
/** What is compared. Never old/new, before/after or current. */
export type Side = (typeof SIDES)[number];
export const SIDE_OR_NULL = enumOf([...SIDES, null]);

/** One value per side. */
export type Sides<T> = Record<Side, T>;

/** Returns the schema of one value per side. */
export function sidesOf<T>(value: Schema<T>) {
	return objectOf({ base: value, head: value });
}

/** The other side. */
export function otherSide(side: Side): Side {
	return side === 'base' ? 'head' : 'base';
}

/** Something the reader must know about a number, carried in results and rendered once as a footnote. */
export type Warning = Infer<typeof WARNING>;
export const WARNING = define(
	'warning',
	objectOf({
		/** Stable kebab-case identifier, e.g. `generator-bound`. */
		code: TEXT,
		/** One sentence: what, where, what it means for the verdict. May contain text of the code under test. */
		message: TEXT,
		/** For a fault; absent or null if neither side caused it, or the cause is unknown. */
		side: optional(described(SIDE_OR_NULL, 'whose fault it is')),
		/** Another run may not have it. */
		once: optional(described(literal(true), 'a fault seen once, of a side that had been fine before')),
	}),
);

/** The program that wrote a file. */
export type Tool = Infer<typeof TOOL>;
export const TOOL = define('tool', objectOf({ name: literal('benchgate'), version: TEXT }));

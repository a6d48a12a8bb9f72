import { define, described, enumOf, type Infer, literal, objectOf, optional, type Schema, TEXT } from './schema.ts';

/** A ratio: 0.05 is 5 %, −0.061 is a drop of 6.1 %. Never a percent string. */
export type Fraction = number;
/** Wall or CPU time. */
export type Seconds = number;
export type Microseconds = number;
export type Bytes = number;

/** Larger than any benchmark's figure; reports print smaller numbers digit by digit. */
export const LARGEST_NUMBER = 1e16;

export const SIDES = ['base', 'head'] as const;
/** Never old/new, before/after or current. */
export type Side = (typeof SIDES)[number];
export const SIDE_OR_NULL = enumOf([...SIDES, null]);

export type Sides<T> = Record<Side, T>;

export function sidesOf<T>(value: Schema<T>) {
	return objectOf({ base: value, head: value });
}

export function otherSide(side: Side): Side {
	return side === 'base' ? 'head' : 'base';
}

/** Stored in results; reports show each once, as a footnote. */
export type Warning = Infer<typeof WARNING>;
export const WARNING = define(
	'warning',
	objectOf({
		/** Stable, in kebab case: `generator-bound`. */
		code: TEXT,
		/** One sentence: problem, place, effect on the verdict. May contain text of the code under test. */
		message: TEXT,
		side: optional(described(SIDE_OR_NULL, 'whose fault it is')),
		/** Another run may not have this fault. */
		once: optional(described(literal(true), 'a fault seen once, of a side that had been fine before')),
	}),
);

export type Tool = Infer<typeof TOOL>;
export const TOOL = define('tool', objectOf({ name: literal('benchgate'), version: TEXT }));

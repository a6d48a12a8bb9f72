/** Commits of the examples: the head and the base of `examplePull()`, and one that is neither. */
export const HEAD = 'a'.repeat(40);
export const BASE = 'b'.repeat(40);
export const OTHER = 'c'.repeat(40);
/** An annotation as a request holds it. */
export const ANNOTATION = {
	path: 'a.yml',
	start_line: 1,
	end_line: 1,
	annotation_level: 'failure',
	message: 'slow',
} as const;

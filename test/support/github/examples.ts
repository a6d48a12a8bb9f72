/** Head and base of `examplePull()`, and another commit. */
export const HEAD = 'a'.repeat(40);
export const BASE = 'b'.repeat(40);
export const OTHER = 'c'.repeat(40);
/** As requested. */
export const ANNOTATION = {
	path: 'a.yml',
	start_line: 1,
	end_line: 1,
	annotation_level: 'failure',
	message: 'slow',
} as const;

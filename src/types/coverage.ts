import { COUNT, enumOf, type Infer, listOf, mapOf, objectOf, type Schema, schemaOf, TEXT } from './schema.ts';

/** Start, end, name, calls before the load, calls during it. Offsets are V8's, in UTF-16 units. */
export type FunctionRun = readonly [number, number, string, number, number];
const FUNCTION_RUN: Schema<FunctionRun> = schemaOf({
	type: 'array',
	prefixItems: [COUNT, COUNT, TEXT, COUNT, COUNT],
	minItems: 5,
	items: false,
});

export type ScriptCoverage = Infer<typeof SCRIPT_COVERAGE>;
const SCRIPT_COVERAGE = objectOf({
	/** Relative to the side's folder. */
	path: TEXT,
	/** SHA-256 of V8's source as UTF-8, hexadecimal. */
	hash: TEXT,
	functions: listOf(FUNCTION_RUN),
});

/** `process`: one without the probe. `native`: an addon. `source`: V8's is not the file. `varies`: between two runs. */
export const UNSEEN_KINDS = ['process', 'native', 'source', 'varies', 'failed'] as const;

export type Unseen = Infer<typeof UNSEEN>;
const UNSEEN = objectOf({
	kind: enumOf(UNSEEN_KINDS),
	/** Untrusted text. */
	detail: TEXT,
});

/** Code of base that one cell runs until its load ends. Code made from strings is left out: its makers ran. */
export type CellCoverage = Infer<typeof CELL_COVERAGE>;
const CELL_COVERAGE = objectOf({
	requests: COUNT,
	/** In the order of compilation. A path repeats for each process or worker. */
	scripts: listOf(SCRIPT_COVERAGE),
	/** Other files that base read or looked for, with modules of JSON; a listed folder ends with a slash. */
	reads: listOf(TEXT),
	/** SHA-256 of texts that `Function.prototype.toString` returned. */
	texts: listOf(TEXT),
	unseen: listOf(UNSEEN),
});

/** Of the subject alone. Paths begin with `node_modules/NAME/`. Keys by `coverageKey`. */
export type SubjectCoverage = Infer<typeof SUBJECT_COVERAGE>;
export const SUBJECT_COVERAGE = mapOf(CELL_COVERAGE);

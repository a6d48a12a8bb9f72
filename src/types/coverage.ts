import { COUNT, enumOf, type Infer, listOf, objectOf, type Schema, schemaOf, TEXT } from './schema.ts';

/**
 * A function that ran: start, end, V8's name, calls before the load, calls during the load. Offsets are V8's: UTF-16 units
 * of the source, without a byte order mark.
 */
export type FunctionRun = readonly [number, number, string, number, number];
const FUNCTION_RUN: Schema<FunctionRun> = schemaOf({
	type: 'array',
	prefixItems: [COUNT, COUNT, TEXT, COUNT, COUNT],
	minItems: 5,
	items: false,
});

export type ScriptCoverage = Infer<typeof SCRIPT_COVERAGE>;
const SCRIPT_COVERAGE = objectOf({
	/** Relative to the side's folder, with slashes: `node_modules/express/lib/response.js`. */
	path: TEXT,
	/** Hexadecimal SHA-256 of the source V8 saw, as UTF-8 without a byte order mark. */
	hash: TEXT,
	/** Includes the top level. */
	functions: listOf(FUNCTION_RUN),
});

/**
 * `process`: the probe was not in it. `native`: an addon or WebAssembly. `source`: V8 ran another text than the file, or
 * code outside the side's folder. `varies`: two runs differ. `failed`: the probe or the load did.
 */
const UNSEEN_KINDS = ['process', 'native', 'source', 'varies', 'failed'] as const;

export type Unseen = Infer<typeof UNSEEN>;
const UNSEEN = objectOf({
	kind: enumOf(UNSEEN_KINDS),
	/** A path or a command line. Untrusted text. */
	detail: TEXT,
});

/** Which code of base one cell runs, from the first line until its load ends, in all processes and workers. */
export type CellCoverage = Infer<typeof CELL_COVERAGE>;
const CELL_COVERAGE = objectOf({
	/** Answered during the load. */
	requests: COUNT,
	/** In the order V8 compiled them. A path may repeat, for each process or worker. */
	scripts: listOf(SCRIPT_COVERAGE),
	/**
	 * Files that base read, or looked for, other than as scripts; relative, also absent ones, and modules of JSON. A folder
	 * that was listed ends with a slash.
	 */
	reads: listOf(TEXT),
	/** Hexadecimal SHA-256 of each text that `Function.prototype.toString` returned, as UTF-8. */
	texts: listOf(TEXT),
	/** Any makes the cell affected. */
	unseen: listOf(UNSEEN),
});

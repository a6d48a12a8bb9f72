/** Changed code, and the cells that it affects. */
import { UNCOVERED_POLICY } from './config.ts';
import { UNSEEN_KINDS } from './coverage.ts';
import { METRIC } from './metric.ts';
import {
	COUNT,
	define,
	described,
	enumOf,
	FLAG,
	type Infer,
	listOf,
	literal,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	orNull,
	TEXT,
	unionOf,
} from './schema.ts';
import { VERDICT } from './verdict.ts';

/** What changed of a script. `top-level`: code that runs at start. `file`: it cannot be compared in parts. */
const CODE_CHANGE_KINDS = ['function', 'top-level', 'declaration', 'file'] as const;

/** Of a link in an installed tree, before its target. */
export const LINK = '-> ';

/** Names and paths are untrusted text. */
export type CodeChange = Infer<typeof CODE_CHANGE>;
const CODE_FIELDS = {
	kind: enumOf(CODE_CHANGE_KINDS),
	name: TEXT,
	path: TEXT,
	/** In head, unless the code is only in base. */
	line: COUNT,
	side: enumOf(['base', 'head']),
};
const CODE_CHANGE = objectOf({
	...CODE_FIELDS,
	cells: listOf(TEXT),
});

/**
 * Cells that coverage of a load proves nothing about. `command`: it may run or read more than Node's probe sees.
 * `unproven`: the reporting job could not derive the claim.
 */
export const ALWAYS_MEASURED = ['metric', 'workers', 'in-process', 'command', 'runtime', 'unproven'] as const;

export type ImpactReason = Infer<typeof IMPACT_REASON>;
const IMPACT_REASON_KINDS = unionOf([
	objectOf({
		kind: literal('code'),
		change: objectOf(CODE_FIELDS),
		/** The function that uses a declaration. */
		user: orNull(TEXT),
		/** 0 if it runs only at start. */
		callsPerRequest: NUMBER,
	}),
	/** Read by base. */
	objectOf({ kind: literal('data'), path: TEXT }),
	objectOf({ kind: literal('resolution'), specifier: TEXT, path: TEXT }),
	objectOf({ kind: literal('unseen'), unseen: enumOf(UNSEEN_KINDS), detail: TEXT }),
	objectOf({ kind: literal('always'), always: enumOf(ALWAYS_MEASURED) }),
	objectOf({ kind: literal('audit'), cell: TEXT }),
]);
export const IMPACT_REASON = define('impactReason', described(IMPACT_REASON_KINDS, 'why a row is measured'));

export interface Impact {
	/** By cell; null if unaffected. */
	readonly cells: ReadonlyMap<string, ImpactReason | null>;
	readonly changes: readonly CodeChange[];
}

export type Audit = Infer<typeof AUDIT>;
const AUDIT = objectOf({
	rows: listOf(objectOf({ cell: TEXT, metric: METRIC, verdict: VERDICT, change: NUMBER_OR_NULL, rounds: COUNT })),
	red: described(FLAG, 'then no row is unaffected'),
});

export type ChangedCode = Infer<typeof CHANGED_CODE>;
export const CHANGED_CODE = define(
	'changedCode',
	described(
		objectOf({
			changes: described(listOf(CODE_CHANGE), 'functions and other code; those that no row runs first'),
			omitted: described(COUNT, 'changes that the list leaves out, for its length'),
			/** Null if some cell could not be covered. */
			notExercised: described(orNull(COUNT), 'changes that no row runs, with omitted ones; null where unknown'),
			audit: optional(described(AUDIT, 'rows that run no changed code, measured to test that claim')),
			uncovered: optional(described(UNCOVERED_POLICY, 'gate.uncovered of the config')),
		}),
		'what head changes, and which rows it can affect; absent where all rows were measured anyway',
	),
);

/** Changed code, and the cells that it affects. */
import { UNSEEN_KINDS } from './coverage.ts';
import { COUNT, enumOf, type Infer, kindsOf, listOf, literal, NUMBER, objectOf, orNull, TEXT } from './schema.ts';

/** What changed of a script. `top-level`: code that runs at start. `file`: it cannot be compared in parts. */
const CODE_CHANGE_KINDS = ['function', 'top-level', 'declaration', 'file'] as const;

/** Names and paths are untrusted text. */
export type CodeChange = Infer<typeof CODE_CHANGE>;
const CODE_FIELDS = {
	kind: enumOf(CODE_CHANGE_KINDS),
	/** `res.sendFile`. */
	name: TEXT,
	path: TEXT,
	/** In head, unless the code is only in base. */
	line: COUNT,
	side: enumOf(['base', 'head']),
};
const CODE_CHANGE = objectOf({
	...CODE_FIELDS,
	/** Affected cells. */
	cells: listOf(TEXT),
});

/** Why a cell is affected. */
export type ImpactReason = Infer<typeof IMPACT_REASON>;
const IMPACT_REASON = kindsOf([
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
]);

export interface Impact {
	/** By cell; null if unaffected. */
	readonly cells: ReadonlyMap<string, ImpactReason | null>;
	readonly changes: readonly CodeChange[];
}

/** What a hostile pull request is, for the suite and for the table in docs/security.md. */
import type { Result } from '../../src/types/result.ts';
import type { ActRun } from '../support/act/run-act.ts';

/** Files of the head commit by path: their text, or null for a file that head deletes. A text may name `LOOT`, or begin with `LINK`. */
export type HeadFiles = Readonly<Record<string, string | null>>;

/** How the check of the pull request ends; `honest`: as it would without the attack, which changes nothing. */
export type Ending = 'red' | 'neutral' | 'honest';

/** What came of an attack. */
export interface Seen {
	readonly run: ActRun;
	/** The one comment; empty when there is none. */
	readonly comment: string;
	/** Null when nothing was compared. */
	readonly result: Result | null;
	/** What the code of head wrote down, all files together. */
	readonly loot: string;
}

/** An attack. Where the check ends as without it, it must be shown that it ran at all. */
export type Attack = Head &
	({ readonly ends: 'red' } | { readonly ends: 'neutral' | 'honest'; readonly check: NonNullable<Head['check']> });

interface Head {
	/** What head does, in words that finish "A pull request that …". */
	readonly does: string;
	readonly files: HeadFiles;
	/** Commit that head branches from; the tip's parent when absent. */
	readonly from?: 'before-config' | 'loose-config';
	/** What the comment must say. */
	readonly says?: RegExp;
	/** Faults of head, one of which the result must name: red is not enough where nothing else says why. */
	readonly faults?: readonly string[];
	/** What else must hold, by assertions. */
	readonly check?: (seen: Seen) => void;
	/** Inputs of the action. */
	readonly inputs?: Readonly<Record<string, string>>;
	/** What head needs a while for; the budget is a second otherwise, enough for one round. */
	readonly measured?: true;
}

/** Stands in head's files for a folder that anyone may write to. */
export const LOOT = '@LOOT@';
/** Begins the text of a file that is a link; what it points to follows. */
export const LINK = 'LINK:';

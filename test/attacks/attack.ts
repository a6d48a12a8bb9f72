/** What a hostile pull request is, for the suite and for the table in docs/security.md. */
import { ISOLATION_LEVELS, type IsolationLevel } from '../../src/types/isolation.ts';
import type { Result } from '../../src/types/result.ts';
import type { ActRun } from '../support/act/run-act.ts';

/** Files of the head commit by path: their text, or null for a file that head deletes. A text may name `LOOT`, or begin with `LINK`. */
export type HeadFiles = Readonly<Record<string, string | null>>;

/** A scenario that main may have. */
export type Row = 'fast' | 'report';

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
	/** Who head ran as. */
	readonly level: IsolationLevel;
}

/**
 * An attack, and how it ends: the same at every level, where isolation has no part in it; else at each level it is tried at. Where
 * the check ends as without it, it must be shown that it ran at all.
 */
export type Attack = Head &
	(
		| { readonly ends: 'red' | Readonly<Partial<Record<IsolationLevel, 'red'>>> }
		| {
				readonly ends: 'neutral' | 'honest' | Readonly<Partial<Record<IsolationLevel, Ending>>>;
				readonly check: NonNullable<Head['check']>;
		  }
	);

interface Head {
	/** What head does, in words that finish "A pull request that …". */
	readonly does: string;
	readonly files: HeadFiles;
	/** Commit that head branches from; the tip's parent when absent. */
	readonly from?: 'before-config' | 'loose-config';
	/** What the comment must say, unless it is measured as it is. */
	readonly says?: RegExp;
	/** Faults of head, one of which the result must name where it is red: that is not enough where nothing else says why. */
	readonly faults?: readonly string[];
	/** What else must hold, by assertions. */
	readonly check?: (seen: Seen) => void;
	/** Inputs of the action. */
	readonly inputs?: Readonly<Record<string, string>>;
	/** How fast it is decides: both sides compute, and are measured for a while. Otherwise they wait, and a second is enough for one round. */
	readonly measured?: true;
	/** Scenarios of main that the attack is about, `fast` alone when absent: each one more is loaded for some seconds more. */
	readonly rows?: readonly Row[];
	/** Files that main has in the place of the usual ones. */
	readonly main?: HeadFiles;
	/** Bytes of memory that the whole run may use: then the kernel ends processes of it. */
	readonly memoryLimit?: number;
	/** Head is told where its rival listens, which it would find out by trying all ports: those of other runs as well. */
	readonly toldPorts?: true;
}

/** Stands in head's files for a folder that anyone may write to; behind namespaces it can only be read. */
export const LOOT = '@LOOT@';
/** File in that folder with the ports of the run's servers, for those that are told. */
export const PORTS = 'ports.json';
/** Isolation has no part in it either, and it is tried with it all the same, which is the default: the first of each group. */
export const BY_DEFAULT = { users: 'red', none: 'red' } as const;
/** Begins the text of a file that is a link; what it points to follows. */
export const LINK = 'LINK:';

/**
 * Returns at which levels an attack is tried, and how it ends there. Where isolation has no part in it, it is tried without: head can do
 * most then, and no users have to be made.
 */
export function endingsOf({ ends }: Attack): readonly (readonly [IsolationLevel, Ending])[] {
	if (typeof ends === 'string') return [['none', ends]];
	return ISOLATION_LEVELS.flatMap((level) => {
		const ending = ends[level];
		return ending === undefined ? [] : [[level, ending] as const];
	});
}

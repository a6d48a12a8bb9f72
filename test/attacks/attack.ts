/** Hostile pull requests, for the suite and the table in docs/security.md. */
import { ISOLATION_LEVELS, type IsolationLevel } from '../../src/types/isolation.ts';
import type { Result } from '../../src/types/result.ts';
import type { ActRun } from '../support/act/run-act.ts';

/** Head's files by path; null deletes. A text may contain `LOOT` or begin with `LINK`. */
export type HeadFiles = Readonly<Record<string, string | null>>;

export type Row = 'fast' | 'report';

/** Conclusion of the check; `honest`: as without the attack. */
export type Ending = 'red' | 'neutral' | 'honest';

export interface Seen {
	readonly run: ActRun;
	/** The only comment, or in a shared run the report on the rows of this attack; empty without one. */
	readonly comment: string;
	/** Null without a comparison; in a shared run with the rows of this attack alone. */
	readonly result: Result | null;
	/** All files its code wrote, joined. */
	readonly loot: string;
	readonly level: IsolationLevel;
}

/**
 * Has one ending if isolation is irrelevant, else one per tested level. Attacks without effect must prove that they
 * ran.
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
	/** Completes "A pull request that …". */
	readonly does: string;
	readonly files: HeadFiles;
	/** Branch point of head; the tip's parent when absent. */
	readonly from?: 'before-config' | 'loose-config';
	/** Required text of the comment, unless the ending is honest. */
	readonly says?: RegExp;
	/** A red result must contain one of these faults of head. For attacks that nothing else proves. */
	readonly faults?: readonly string[];
	readonly check?: (seen: Seen) => void;
	readonly inputs?: Readonly<Record<string, string>>;
	/** Both sides compute, and are measured longer. Otherwise they wait, and a second suffices for one round. */
	readonly measured?: true;
	/** Scenarios of main, `fast` when absent; each one adds some seconds. */
	readonly rows?: readonly Row[];
	/** Edits main's scenario. */
	readonly scenario?: (text: string) => string;
	readonly main?: HeadFiles;
	/** Bytes for the whole run: beyond it the kernel kills its processes. */
	readonly memoryLimit?: number;
	/** Gives head its rival's port. Finding it by a scan would reach servers of other runs. */
	readonly toldPorts?: true;
}

/** Placeholder for a world-writable folder; read-only behind namespaces. */
export const LOOT = '@LOOT@';
/** File in LOOT with the ports of the run's servers, for `toldPorts`. */
export const PORTS = 'ports.json';
/** Isolation is irrelevant, but the first attack of each group also runs with the default level. */
export const BY_DEFAULT = { users: 'red', none: 'red' } as const;
/** Prefix of a symbolic link's target. */
export const LINK = 'LINK:';

/**
 * Returns the tested levels and endings. If isolation is irrelevant, only `none` is tested: head has the most freedom,
 * and no users must be created.
 */
export function endingsOf({ ends }: Attack): readonly (readonly [IsolationLevel, Ending])[] {
	if (typeof ends === 'string') return [['none', ends]];
	return ISOLATION_LEVELS.flatMap((level) => {
		const ending = ends[level];
		return ending === undefined ? [] : [[level, ending] as const];
	});
}

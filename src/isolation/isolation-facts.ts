import type { Privilege } from '../process/users/run-as-root.ts';
import type { IsolationLevel } from '../types/isolation.ts';

/** What was found out about this machine; everything that choosing a level depends on. */
export interface IsolationFacts {
	readonly platform: string;
	readonly privilege: Privilege | null;
	/** Why commands cannot be run as root; null when they can. */
	readonly whyNoPrivilege: string | null;
	/** Paths of programs, null when missing. */
	readonly setpriv: string | null;
	readonly unshare: string | null;
	readonly nsenter: string | null;
	readonly nft: string | null;
	/** BusyBox has a setpriv that cannot. */
	readonly setprivChangesUser: boolean;
	/** What a trial of another user's process said when it failed; null when it went well. */
	readonly whyNoUser: string | null;
	/** The same for user, mount and process namespaces without root. */
	readonly whyNoNamespace: string | null;
}

export interface IsolationChoice {
	readonly level: IsolationLevel;
	/** Why the level is not a higher one; null when what was asked for was reached. */
	readonly reason: string | null;
}

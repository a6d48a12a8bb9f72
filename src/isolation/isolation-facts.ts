import type { Privilege } from '../process/users/run-as-root.ts';
import type { IsolationLevel, IsolationWish } from '../types/isolation.ts';
import type { Janitor } from '../types/run-services.ts';

/** What opening an isolation needs to know. */
export interface IsolationOptions {
	readonly wish: IsolationWish;
	/** Folder of ours, for the private folders of both sides and everything they build. Exists. */
	readonly folder: string;
	/** Names of folders in it that lead to what the sides run from. */
	readonly passed?: readonly string[];
	/** Files and folders both sides need besides: Node, the tool, a repository. */
	readonly needed: readonly string[];
	/** Path of the Node binary both sides run on; it and its npm are found behind a view as well. */
	readonly node?: string;
	/** Folder that git keeps the repository in; both sides can read it, without what its configuration holds of secrets. */
	readonly repository?: string | null;
	readonly janitor: Janitor;
	/** What is known about the machine; probed when absent. */
	readonly facts?: IsolationFacts;
}

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

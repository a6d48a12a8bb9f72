import { release } from 'node:os';
import type { Privilege } from '../process/users/run-as-root.ts';
import type { IsolationLevel, IsolationWish } from '../types/isolation.ts';
import type { Janitor } from '../types/run-services.ts';

export interface IsolationOptions {
	readonly wish: IsolationWish;
	/** Our folder, which holds the sides' private folders and builds. */
	readonly folder: string;
	/** Subfolders that the sides must be able to enter. */
	readonly passed?: readonly string[];
	/** Further needed paths: Node, the tool, a repository. */
	readonly needed: readonly string[];
	/** Node of both sides. It stays visible behind a view, with its npm. */
	readonly node?: string;
	/** Git's folder. Both sides can read it, without the secrets of its configuration. */
	readonly repository?: string | null;
	readonly janitor: Janitor;
	/** Probed when absent. */
	readonly facts?: IsolationFacts;
}

export interface IsolationFacts {
	readonly platform: string;
	readonly privilege: Privilege | null;
	readonly whyNoPrivilege: string | null;
	readonly setpriv: string | null;
	readonly unshare: string | null;
	readonly nsenter: string | null;
	readonly nft: string | null;
	/** False for BusyBox. */
	readonly setprivChangesUser: boolean;
	/** Error of a trial as another user. */
	readonly whyNoUser: string | null;
	/** Error of a trial of user, mount and process namespaces without root. */
	readonly whyNoNamespace: string | null;
}

export interface IsolationChoice {
	readonly level: IsolationLevel;
	readonly reason: string | null;
}

export function isKernelSince([major, minor]: readonly [number, number]): boolean {
	const [ours = 0, minorOfOurs = 0] = release().split('.').map(Number);
	return ours > major || (ours === major && minorOfOurs >= minor);
}

import { described, enumOf, FLAG, type Infer, objectOf, optional, TEXT_OR_NULL } from './schema.ts';
import type { Sides } from './units.ts';

/** Who the code under test runs as, best first: users of their own, our user behind namespaces, or simply our user. */
export const ISOLATION_LEVELS = ['users', 'namespace', 'none'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

/** What can be asked for; `auto` is the best that is available. */
export const ISOLATION_WISHES = ['auto', ...ISOLATION_LEVELS] as const;
export type IsolationWish = (typeof ISOLATION_WISHES)[number];

/** What can be asked for at least. */
export const REQUIRED_LEVELS = ['users', 'namespace'] as const;
export type RequiredLevel = (typeof REQUIRED_LEVELS)[number];

/** Returns whether a level keeps the code under test as far away as another one, or farther. */
export function isAtLeast(level: IsolationLevel, other: IsolationLevel): boolean {
	return ISOLATION_LEVELS.indexOf(level) <= ISOLATION_LEVELS.indexOf(other);
}

/** Who prepares a side: its own user, or whoever runs benchgate, which a build that needs sudo or docker has to be. */
export const PREPARE_AS = ['side', 'runner'] as const;
export type PrepareAs = (typeof PREPARE_AS)[number];

/** How far the code under test was kept from benchgate, from the other side and from the machine: what reports say. */
export type IsolationReport = Infer<typeof ISOLATION_REPORT>;
export const ISOLATION_REPORT = objectOf({
	level: enumOf(ISOLATION_LEVELS),
	/**
	 * Also why the level is not the one asked for, or no higher one was found with `auto`; null when all is well. Without a full stop.
	 */
	reason: described(TEXT_OR_NULL, 'why it is no higher level, or lacks what it should have'),
	hidesProcesses: described(FLAG, 'a side sees only its own processes'),
	readOnly: described(FLAG, 'a side can write nothing but its own folders'),
	/** Absent in older files. */
	refusesRival: optional(described(FLAG, "a side's connections to the other one's server are refused")),
});

/**
 * Returns whether that is what a required level asks for. A level that cannot keep a side from writing elsewhere is less than what
 * it is called.
 */
export function meetsLevel({ level, readOnly }: IsolationReport, required: RequiredLevel): boolean {
	return isAtLeast(level, required) && readOnly;
}

/** Returns a level in words, with what it lacks. */
export function nameLevel({ level, readOnly }: IsolationReport): string {
	return readOnly || level === 'none' ? level : `${level} without a read-only machine`;
}

/** Where a command runs and what it sees. */
export interface LaunchOptions {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Absolute folders that the user makes for itself first. */
	readonly makes?: readonly string[];
}

/** What is handed to `spawn`. */
export interface Launch {
	readonly argv: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
}

/** Folders of one process, which nobody else has used. They exist once it is launched with them among `makes`. */
export interface Scratch {
	/** Holds both, as we see it. */
	readonly folder: string;
	/** As the process sees it, and so is `data`. */
	readonly temporary: string;
	readonly data: string;
	/** Removes them with what is in them; the process has ended. Rejects when that is not allowed. */
	remove(): Promise<void>;
}

/** Who the code of one side runs as. */
export interface SideUser {
	/** Null when it is our own user. */
	readonly uid: number | null;
	/** Folder of the control group of all its processes; null without one. */
	readonly group: string | null;
	/** Returns `inherited` with home, temporary folder, caches and names of this user's own. */
	environment(inherited: Readonly<Record<string, string>>): Record<string, string>;
	/** Returns how to start `argv` as this user, with this environment and no other, in that folder. */
	launch(argv: readonly string[], options: LaunchOptions): Launch;
	/** Returns where a process finds folders of its own; the name is unique in this run. */
	scratch(name: string): Scratch;
	/** Restricts all its processes to these CPUs, null for all; needs a control group. */
	hold(cpus: readonly number[] | null): void;
	/** Sends a signal to the processes of the group led by the process that was launched; a group that is gone is fine. */
	signalGroup(pid: number, signal: NodeJS.Signals): void;
	/** Its server is about to listen there: the other side's user is kept from connecting, where that is possible. */
	listens(port: number): void;
	/** Ends everything the user still runs and returns how many processes that were. Nothing when it is our own user. */
	endAll(): Promise<number>;
	/** Makes the folder and everything in it the user's, to build in. Nobody else's process may run in it. */
	give(folder: string): Promise<void>;
	/** Takes a folder back that was given: the user can read it but not write it. */
	seal(folder: string): Promise<void>;
	/** Lets the user read a folder that was sealed, also by an earlier run; with `shared` the users of other sides and runs as well. */
	allow(folder: string, shared: boolean): Promise<void>;
}

/** Who the code of both sides runs as, until closed. */
export interface Isolation extends IsolationReport, AsyncDisposable {
	readonly sides: Sides<SideUser>;
	/** Why the servers of a further lane could not be kept apart, as the end of a sentence; null when they can. */
	readonly whyOneLane: string | null;
	/**
	 * Returns who the servers of a further lane run as: users, or namespaces, of their own, which find at the same places what `sides`
	 * have built, and copies of all that those may write. Both sides are prepared, and nothing of them runs. Rejects with the reason
	 * when that cannot be had.
	 */
	openLane(): Promise<Sides<SideUser>>;
	/**
	 * Hides these folders from each side, and reveals the ones hidden before: a side could slow its rival down by reading, watching or
	 * evicting its files. No code of the sides may run. Does nothing for sides without a view.
	 */
	hide(folders: Sides<readonly string[]>): void;
	/** Makes ours what a side of an earlier run was given and nobody took back. Nothing where the sides are our own user. */
	reclaim(folder: string): Promise<void>;
	/** Lets head begin with what base's package managers have downloaded. Base is finished, and nothing of head has run yet. */
	shareCaches(): Promise<void>;
	/** Returns files that were seen by a side for a while because somebody replaced them, although others are to be seen in their place. */
	uncovered(): readonly string[];
	/** Ends what the sides still run and removes what was made for them. */
	close(): Promise<void>;
}

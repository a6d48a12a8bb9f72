import { described, enumOf, FLAG, type Infer, objectOf, optional, TEXT_OR_NULL } from './schema.ts';
import type { Sides } from './units.ts';

/** Best first: separate users, our user in namespaces, our user without namespaces. */
export const ISOLATION_LEVELS = ['users', 'namespace', 'none'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

/** `auto` is the best available. */
export const ISOLATION_WISHES = ['auto', ...ISOLATION_LEVELS] as const;
export type IsolationWish = (typeof ISOLATION_WISHES)[number];

export const REQUIRED_LEVELS = ['users', 'namespace'] as const;
export type RequiredLevel = (typeof REQUIRED_LEVELS)[number];

/** Whether a level isolates at least as well as `other`. */
export function isAtLeast(level: IsolationLevel, other: IsolationLevel): boolean {
	return ISOLATION_LEVELS.indexOf(level) <= ISOLATION_LEVELS.indexOf(other);
}

/** `runner` is needed by builds that use sudo or docker. */
export const PREPARE_AS = ['side', 'runner'] as const;
export type PrepareAs = (typeof PREPARE_AS)[number];

export type IsolationReport = Infer<typeof ISOLATION_REPORT>;
export const ISOLATION_REPORT = objectOf({
	level: enumOf(ISOLATION_LEVELS),
	/** Also why the requested level, or a better one with `auto`, is missing. No full stop. */
	reason: described(TEXT_OR_NULL, 'why it is no higher level, or lacks what it should have'),
	hidesProcesses: described(FLAG, 'a side sees only its own processes'),
	readOnly: described(FLAG, 'a side can write nothing but its own folders'),
	refusesRival: optional(described(FLAG, "a side's connections to the other one's server are refused")),
});

/** Whether a report meets a level. If the machine is not read-only, it meets no level. */
export function meetsLevel({ level, readOnly }: IsolationReport, required: RequiredLevel): boolean {
	return isAtLeast(level, required) && readOnly;
}

/** Returns the level's name, noting a writable machine. */
export function nameLevel({ level, readOnly }: IsolationReport): string {
	return readOnly || level === 'none' ? level : `${level} without a read-only machine`;
}

export interface LaunchOptions {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Absolute folders to create first. */
	readonly makes?: readonly string[];
}

export interface Launch {
	readonly argv: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
}

/** Fresh folders of one process; a launch creates those listed in `makes`. */
export interface Scratch {
	/** Parent of both, outside the view. */
	readonly folder: string;
	/** Inside the side's view, like `data`. */
	readonly temporary: string;
	readonly data: string;
	/** Call it after the process has exited. It rejects if permission is missing. */
	remove(): Promise<void>;
}

export interface SideUser {
	/** Null for benchgate's own user. */
	readonly uid: number | null;
	/** Control group folder of all its processes. */
	readonly group: string | null;
	/** Returns `inherited` with this user's home, temporary folder, caches and names. */
	environment(inherited: Readonly<Record<string, string>>): Record<string, string>;
	/** Returns how to start `argv` with exactly this environment. */
	launch(argv: readonly string[], options: LaunchOptions): Launch;
	/** `name` must be unique in this run. */
	scratch(name: string): Scratch;
	/** Pins the side's processes to these CPUs, or to all if null. Needs a control group. */
	hold(cpus: readonly number[] | null): void;
	/** Signals a launched process group, if it still exists. */
	signalGroup(pid: number, signal: NodeJS.Signals): void;
	/** Blocks the other side's user from this port where possible. Call it before listening. */
	listens(port: number): void;
	/** Kills the user's processes and returns their number. Does nothing for benchgate's own user. */
	endAll(): Promise<number>;
	/** Gives this user a folder tree, to build in. No process of another user may run in it. */
	give(folder: string): Promise<void>;
	/** Makes a given folder read-only. */
	seal(folder: string): Promise<void>;
	/**
	 * Lets this user read a sealed folder, even one of an earlier run. If `shared`, users of other sides and runs may
	 * read it too.
	 */
	allow(folder: string, shared: boolean): Promise<void>;
}

export interface Isolation extends IsolationReport, AsyncDisposable {
	readonly sides: Sides<SideUser>;
	/** Why another lane cannot be isolated, as the end of a sentence. */
	readonly whyOneLane: string | null;
	/**
	 * Returns other users or namespaces, which see the build of `sides` at the same paths and have copies of the
	 * writable folders. Call it after preparing, while no process of the sides runs. Rejects with the reason.
	 */
	openLane(): Promise<Sides<SideUser>>;
	/**
	 * Hides these folders and shows those hidden before: a side could slow its rival by reading, watching or evicting
	 * its files. No code of the sides may run meanwhile. Does nothing without a view.
	 */
	hide(folders: Sides<readonly string[]>): void;
	/** Takes back a folder that an earlier run gave. Does nothing for benchgate's own user. */
	reclaim(folder: string): Promise<void>;
	/** Copies the package manager caches of base to head. Call it after base has finished and before head starts. */
	shareCaches(): Promise<void>;
	/** Returns masked paths that were replaced and were therefore visible for a while. */
	uncovered(): readonly string[];
	close(): Promise<void>;
}

import { described, enumOf, FLAG, type Infer, objectOf, optional, TEXT_OR_NULL } from './schema.ts';
import type { Sides } from './units.ts';

/** Best first: separate users, our user behind namespaces, our plain user. */
export const ISOLATION_LEVELS = ['users', 'namespace', 'none'] as const;
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number];

/** `auto` is the best available. */
export const ISOLATION_WISHES = ['auto', ...ISOLATION_LEVELS] as const;
export type IsolationWish = (typeof ISOLATION_WISHES)[number];

export const REQUIRED_LEVELS = ['users', 'namespace'] as const;
export type RequiredLevel = (typeof REQUIRED_LEVELS)[number];

/** Returns whether a level isolates at least as well as `other`. */
export function isAtLeast(level: IsolationLevel, other: IsolationLevel): boolean {
	return ISOLATION_LEVELS.indexOf(level) <= ISOLATION_LEVELS.indexOf(other);
}

/** `runner` is for builds that need sudo or docker. */
export const PREPARE_AS = ['side', 'runner'] as const;
export type PrepareAs = (typeof PREPARE_AS)[number];

/** Isolation of the code under test from benchgate, the other side and the machine. */
export type IsolationReport = Infer<typeof ISOLATION_REPORT>;
export const ISOLATION_REPORT = objectOf({
	level: enumOf(ISOLATION_LEVELS),
	/** Also why the requested level, or a better one with `auto`, is missing. No full stop. */
	reason: described(TEXT_OR_NULL, 'why it is no higher level, or lacks what it should have'),
	hidesProcesses: described(FLAG, 'a side sees only its own processes'),
	readOnly: described(FLAG, 'a side can write nothing but its own folders'),
	refusesRival: optional(described(FLAG, "a side's connections to the other one's server are refused")),
});

/** Returns whether a report meets a level. Without a read-only machine none is met. */
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

/** Arguments of `spawn`. */
export interface Launch {
	readonly argv: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
}

/** Fresh folders of one process; a launch creates those in `makes`. */
export interface Scratch {
	/** Parent of both, outside the view. */
	readonly folder: string;
	/** Inside the view, like `data`. */
	readonly temporary: string;
	readonly data: string;
	/** Call after the process has exited. Rejects without permission. */
	remove(): Promise<void>;
}

export interface SideUser {
	/** Null for our own user. */
	readonly uid: number | null;
	/** Control group folder of all its processes. */
	readonly group: string | null;
	/** Returns `inherited` with this user's home, temporary folder, caches and names. */
	environment(inherited: Readonly<Record<string, string>>): Record<string, string>;
	/** Returns how to start `argv` with exactly this environment. */
	launch(argv: readonly string[], options: LaunchOptions): Launch;
	/** `name` must be unique in this run. */
	scratch(name: string): Scratch;
	/** Pins its processes, null to all CPUs; needs a control group. */
	hold(cpus: readonly number[] | null): void;
	/** Signals a launched process group, if it still exists. */
	signalGroup(pid: number, signal: NodeJS.Signals): void;
	/** Call before listening: where possible, blocks the other side's user. */
	listens(port: number): void;
	/** Kills the user's processes and returns their number. Does nothing for our own user. */
	endAll(): Promise<number>;
	/** Transfers a folder tree, to build in. No process of another user may run in it. */
	give(folder: string): Promise<void>;
	/** Makes a given folder read-only. */
	seal(folder: string): Promise<void>;
	/**
	 * Grants read access to a sealed folder, even of an earlier run; `shared` includes users of other sides and runs.
	 */
	allow(folder: string, shared: boolean): Promise<void>;
}

export interface Isolation extends IsolationReport, AsyncDisposable {
	readonly sides: Sides<SideUser>;
	/** Why another lane cannot be isolated, as the end of a sentence. */
	readonly whyOneLane: string | null;
	/**
	 * Returns other users or namespaces, with the build of `sides` at the same paths and copies of writable folders.
	 * Call after preparing, with no process of the sides running. Rejects with the reason if unavailable.
	 */
	openLane(): Promise<Sides<SideUser>>;
	/**
	 * Hides these folders and reveals those hidden before: a side could slow its rival by reading, watching or evicting
	 * its files. No code of the sides may run. Does nothing without a view.
	 */
	hide(folders: Sides<readonly string[]>): void;
	/** Takes back a folder an earlier run gave. Does nothing for our own user. */
	reclaim(folder: string): Promise<void>;
	/** Copies base's package manager caches to head. Base must be finished, head not yet started. */
	shareCaches(): Promise<void>;
	/** Returns masked paths that were replaced, and so visible for a while. */
	uncovered(): readonly string[];
	/** Kills remaining processes and removes resources. */
	close(): Promise<void>;
}

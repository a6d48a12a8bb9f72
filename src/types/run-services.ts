/**
 * Remembers what must not outlive the run and removes it on every path: normal end, error, signal, and kill -9 of this
 * process (two small watchdog processes, in sessions of their own, see the pipe close; one of them does the work).
 */
export interface Janitor {
	/** Removes the folder at the end unless released. Returns the release. */
	guardDirectory(path: string): Release;
	/** The same for a lock, which is removed after all else. */
	guardLock(path: string): Release;
	/** `git worktree remove --force` and prune at the end unless released. */
	guardWorktree(repository: string, path: string): Release;
	/** SIGKILLs every process of the user at the end unless released, and removes guarded folders that are the user's. */
	guardUser(user: GuardedUser): Release;
	/** Kills all processes in the control group at the end unless released, and removes it. */
	guardControlGroup(group: ControlGroup): Release;
	/** SIGKILLs the process group at the end unless released. */
	guardGroup(pid: number): Release;
	/** Marker every process of this run carries in its environment, so that escaped children can be found. */
	readonly marker: { readonly name: string; readonly value: string };
	/** Does all that is still guarded, now, and ends the watchdogs. */
	close(): Promise<void>;
}

/** A user that processes of a run belong to and nothing else does, and how to become it. */
export interface GuardedUser {
	readonly uid: number;
	/** How commands are run as root: as we are, or through sudo that asks for no password. */
	readonly privilege: 'root' | 'sudo';
	/** Path of util-linux's setpriv. */
	readonly setpriv: string;
	/** Control group of all its processes; absent without one. */
	readonly group?: ControlGroup;
}

/** A cgroup v2 folder reserved for the processes of one side. */
export interface ControlGroup {
	readonly path: string;
	/** Access to its files: as root, through sudo, or null if they were delegated to our user. */
	readonly privilege: 'root' | 'sudo' | null;
}

/** The thing is gone or wanted: forget it. */
export type Release = () => void;

/** Where stages say what they are doing. */
export interface Progress {
	/** A new stage or step: one plain line when not a terminal. */
	step(text: string): void;
	/** Replaces the live status; dropped when not a terminal. */
	status(text: string): void;
}

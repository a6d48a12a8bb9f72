/**
 * Cleans up at the end of the run: normal, by error, by signal, or by kill -9 (two watchdog processes, each in its own
 * session, notice the closed pipe; one cleans up). A released resource is left alone.
 */
export interface Janitor {
	guardDirectory(path: string): Release;
	/** Removed after everything else. */
	guardLock(path: string): Release;
	/** Runs `git worktree remove --force` and prunes. */
	guardWorktree(repository: string, path: string): Release;
	/** SIGKILLs the user's processes and removes its guarded folders. */
	guardUser(user: GuardedUser): Release;
	/** Kills the group's processes, then removes the group. */
	guardControlGroup(group: ControlGroup): Release;
	/** SIGKILLs the process group. */
	guardGroup(pid: number): Release;
	/** Environment variable of all processes of this run, to find escaped children. */
	readonly marker: { readonly name: string; readonly value: string };
	/** Cleans up now and ends the watchdogs. */
	close(): Promise<void>;
}

/** A user that owns only processes of a run. */
export interface GuardedUser {
	readonly uid: number;
	/** How commands run as root: directly, or through passwordless sudo. */
	readonly privilege: 'root' | 'sudo';
	/** Path to the program of util-linux. */
	readonly setpriv: string;
	/** Control group of all its processes. */
	readonly group?: ControlGroup;
}

/** A cgroup v2 folder for one side's processes. */
export interface ControlGroup {
	readonly path: string;
	/** For writing its files; null if delegated to benchgate's user. */
	readonly privilege: 'root' | 'sudo' | null;
}

/** Call when the resource is gone or to be kept. */
export type Release = () => void;

export interface Progress {
	/** One plain line when not a terminal. */
	step(text: string): void;
	/** Replaces the live status. `output` follows its seconds, and may change without starting them again. */
	status(text: string, output?: string): void;
}

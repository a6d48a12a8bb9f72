/**
 * Remembers what must not outlive the run and removes it on every path: normal end, error, signal, and kill -9 of this
 * process (a small watchdog process, in a session of its own, sees the pipe close and does the work).
 */
export interface Janitor {
	/** Removes the folder at the end unless released. Returns the release. */
	guardDirectory(path: string): Release;
	/** `git worktree remove --force` and prune at the end unless released. */
	guardWorktree(repository: string, path: string): Release;
	/** SIGKILLs the process group at the end unless released. */
	guardGroup(pid: number): Release;
	/** Marker every process of this run carries in its environment, so that escaped children can be found. */
	readonly marker: { readonly name: string; readonly value: string };
	/** Does all that is still guarded, now, and ends the watchdog. */
	close(): Promise<void>;
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

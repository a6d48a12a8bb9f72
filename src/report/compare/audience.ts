import type { GateMode } from '../../types/action-run.ts';

/** A line of a file of the repository. */
export interface Place {
	readonly path: string;
	/** 1-based. */
	readonly line: number;
}

/** Where people accept what is red; nothing on the command line. */
export interface AcceptingPlace {
	/** Label that accepts; absent or null where there is no pull request to put it on. */
	readonly acceptLabel?: string | null;
	/** Commit that an acceptance would be for; from a trusted event. */
	readonly headSha?: string;
}

/** What a report knows of its readers beyond the result; nothing on the command line. */
export interface Audience extends AcceptingPlace {
	/** Whether a failed gate turns the check red; absent where there is no check, but an exit code. */
	readonly gate?: GateMode;
	/** Whether the run only informs, because the base branch has no config that could hold. */
	readonly adopting?: boolean;
	/** Last day (UTC) on which a red gate blocks nothing, where the config of the base branch says so; absent when it holds. */
	readonly advisoryUntil?: string | undefined;
	/** What the reporting job could not verify: green is neutral then. */
	readonly doubts?: readonly string[];
	/** Where a scenario is defined; null when no file of the repository says, absent where nobody looked. */
	readonly lineOf?: (scenario: string) => Place | null;
}

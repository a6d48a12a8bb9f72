import type { GateMode } from '../../types/action-run.ts';

export interface Place {
	readonly path: string;
	/** 1-based. */
	readonly line: number;
}

/** Where red rows can be accepted. */
export interface AcceptingPlace {
	/** Null without a pull request. */
	readonly acceptLabel?: string | null;
	/** Commit to accept, from a trusted event. */
	readonly headSha?: string;
}

/** The readers of a report; empty on the command line. */
export interface Audience extends AcceptingPlace {
	/** Absent without a check, when there is only an exit code. */
	readonly gate?: GateMode;
	/** No config of the base branch applies yet, so the run only informs. */
	readonly adopting?: boolean;
	/** Last day (UTC) on which red blocks nothing, from the base branch's config. */
	readonly advisoryUntil?: string | undefined;
	/** Facts the reporting job could not verify; green becomes neutral. */
	readonly doubts?: readonly string[];
	/** Null if no file defines it, absent if unknown. */
	readonly lineOf?: (scenario: string) => Place | null;
}

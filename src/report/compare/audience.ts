import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { type CodePosition, type Phrase, phrase } from '../../text/phrase.ts';
import type { GateMode } from '../../types/action-run.ts';
import type { Explanation } from '../../types/explain.ts';

export interface Place {
	readonly path: string;
	/** 1-based. */
	readonly line: number;
}

/** File names, if known; `reporting` is null for another workflow. */
export interface WorkflowFiles {
	readonly measuring?: string | null;
	readonly reporting?: string | null;
}

/** A pull request brings the workflow or the first config. */
export interface Adoption {
	readonly check: string;
	/** Another workflow writes comment and check. */
	readonly reportsLater: boolean;
}

export interface AcceptingPlace {
	readonly workflows?: WorkflowFiles;
	/** Null without a pull request. */
	readonly acceptLabel?: string | null;
	/** Commit to accept, from a trusted event. */
	readonly headSha?: string;
}

/** Facts about the readers of a report; empty on the command line. */
export interface Audience extends AcceptingPlace {
	/** Absent if only an exit code exists, but no check. */
	readonly gate?: GateMode;
	/** The base branch has no config yet, so the run only informs. */
	readonly adopting?: boolean;
	readonly adoption?: Adoption | undefined;
	/** Last day (UTC) on which red blocks nothing, from the base branch's config. */
	readonly advisoryUntil?: string | undefined;
	/** Answers a `/benchgate` comment. */
	readonly answersCommand?: boolean;
	/** No input made the gate advisory. */
	readonly outsidePulls?: boolean;
	/** Facts that the reporting job could not verify. They turn green into neutral. */
	readonly doubts?: readonly string[];
	/** Trusted: `https://github.com/owner/repo`. */
	readonly repositoryUrl?: string | undefined;
	/** Trusted address. */
	readonly dashboard?: string | undefined;
	/** Null if no file defines the scenario; absent if unknown. */
	readonly lineOf?: (scenario: string) => Place | null;
	readonly explanation?: Explanation | null;
	/** Finds untrusted positions in the change of head; null for all others. */
	readonly placeOf?: (code: CodePosition) => Place | null;
}

/** Returns `run benchgate.yml again`, or `fallback` if the file is unknown. */
export function runAgain(file: WorkflowFiles[keyof WorkflowFiles], fallback: string): Phrase {
	return file ? phrase`run ${{ code: plainText(file, NAME_LIMIT) }} again` : [fallback];
}

export function adviseAdoption({ adoption }: Pick<Audience, 'adoption'>): readonly Phrase[] {
	if (adoption === undefined) return [];
	const required = phrase`Then require the check ${{ code: plainText(adoption.check, NAME_LIMIT) }} in the rules of the base branch.`;
	return [
		adoption.reportsLater
			? phrase`After merging, comment and check appear from the next pull request on: GitHub runs the workflow that writes them only from the default branch. ${required}`
			: phrase`After merging, this gate applies to every pull request. ${required}`,
	];
}

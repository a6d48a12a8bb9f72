import type { InconclusivePolicy } from './config.ts';
import type { Result, RevisionInfo } from './result.ts';
import type { Side, Warning } from './units.ts';
import type { GateOutcome } from './verdict.ts';

/** Modes that ask nothing of the event: the input names them. */
export const STANDALONE_MODES = ['bisect', 'selftest', 'record'] as const;
export type StandaloneMode = (typeof STANDALONE_MODES)[number];

/** Jobs that do one comparison together: one divides it, many measure, one decides and reports. */
export const SHARD_MODES = ['plan', 'shard', 'gather'] as const;
export type ShardMode = (typeof SHARD_MODES)[number];

export const ACTION_MODES = ['auto', 'compare', 'baseline', 'report', ...SHARD_MODES, ...STANDALONE_MODES] as const;
export type ActionMode = (typeof ACTION_MODES)[number];

/** Whether a failed gate may turn the check red. */
export const GATE_MODES = ['enforce', 'advisory'] as const;
export type GateMode = (typeof GATE_MODES)[number];

export const COMMENT_POLICIES = ['always', 'on-change', 'never'] as const;
export type CommentPolicy = (typeof COMMENT_POLICIES)[number];

/** Which side's config, scenarios and thresholds hold. */
export const CONFIG_SOURCES = ['base', 'head'] as const;
export type ConfigSource = (typeof CONFIG_SOURCES)[number];

export interface Repository {
	readonly owner: string;
	readonly repo: string;
}

/** The workflow run we are part of, from the runner's own variables. */
export interface RunnerContext {
	readonly eventName: string;
	/** The event's payload, not validated: read it through `readRequest`. */
	readonly payload: unknown;
	readonly repository: Repository;
	readonly sha: string;
	readonly ref: string;
	/** Who started the run, also when somebody else has run it again. */
	readonly actor?: string | undefined;
	readonly run: RunIdentity;
	/** `https://github.com` or the instance's own. */
	readonly serverUrl: string;
	readonly apiUrl: string;
	/** Folder of the checkout. */
	readonly workspace: string;
	/** Folder the runner empties after the job. */
	readonly tempFolder: string;
}

/** Which run wrote something: a later one may overwrite an earlier one's words, never the other way round. */
export interface RunIdentity {
	readonly id: number;
	readonly attempt: number;
	/** Page of the run. */
	readonly url: string;
}

export interface PullRequest {
	readonly number: number;
	readonly headSha: string;
	/** Tip of the base branch as the event or the API names it, which may be weeks old. */
	readonly baseSha: string;
	/** `owner/name` the head branch lives in; null when that repository is gone. */
	readonly headRepository: string | null;
}

/** Where a base is to be found, before anything is fetched. */
export type BaseRule =
	| { readonly kind: 'merge-base'; readonly with: string }
	| { readonly kind: 'commit'; readonly sha: string }
	/** The latest release's commit; the head itself (A/A) when there is none. */
	| { readonly kind: 'anchor' }
	/** The first parent of the head. */
	| { readonly kind: 'parent' }
	/** A revision the user typed: everything `--base` takes. */
	| { readonly kind: 'given'; readonly revision: string };

/** Two sides that an event wants compared. */
export interface CompareRequest {
	readonly kind: 'compare';
	readonly base: BaseRule;
	/**
	 * Tip of the branch this will be merged into, a commit or `git:REF`: its config holds, because the author of a pull
	 * request chooses where it branches off; null where base's own config holds.
	 */
	readonly baseTip: string | null;
	/** A commit, or a revision the user typed. */
	readonly head: string;
	readonly pullRequest: PullRequest | null;
	/** Commit that a check run belongs on. */
	readonly checkSha: string;
	readonly gate: GateMode;
	/** From `/benchgate …`, for an attempt that a comment asked for: replaces the inputs `scenarios` and `threshold`. */
	readonly command: BenchCommand | null;
	/** What the run is, for titles: `pull request #12`, `push to main`. */
	readonly title: string;
}

/** What the event asks for. */
export type ActionRequest =
	| CompareRequest
	/** One job of a comparison in shards. */
	| { readonly [Mode in ShardMode]: { readonly kind: Mode; readonly asked: CompareRequest } }[ShardMode]
	/** Where the branch stands since its last release: measured, and handed to the job that stores it. */
	| {
			readonly kind: 'baseline';
			/** A commit, or a revision the user typed. */
			readonly head: string;
			/** What reports call the head's branch; null where there is none. */
			readonly branch: string | null;
			/** What the run is, for titles: `push to main`. */
			readonly title: string;
	  }
	/** Somebody commented a command; whether they may is asked of the API first. Nothing is measured: a run is started again. */
	| {
			readonly kind: 'command';
			readonly command: BenchCommand;
			readonly pullRequestNumber: number;
			readonly commentId: number;
			readonly user: string;
	  }
	| { readonly kind: 'report'; readonly measured: MeasuredRun }
	| { readonly [Mode in StandaloneMode]: { readonly kind: Mode } }[StandaloneMode]
	/** Nothing to do: green, with the reason in the log. */
	| { readonly kind: 'nothing'; readonly reason: string };

/** The requests of one kind. */
export type RequestOf<Kind extends ActionRequest['kind']> = Extract<ActionRequest, { kind: Kind }>;

/** `/benchgate [scenario…] [threshold=5%]`. */
export interface BenchCommand {
	readonly scenarios: readonly string[];
	readonly threshold: string | undefined;
}

/** The comment key of users who gave none. */
export const DEFAULT_KEY = 'default';

/** Conclusions of runs in which no job ever started; who lets them start is a decision of its own. */
export const NEVER_STARTED: readonly string[] = ['action_required', 'skipped'];

/** Events whose runs measure what will be merged: a failed gate stops it. */
export const PULL_REQUEST_EVENTS: readonly string[] = ['pull_request', 'merge_group'];

/** The run that measured, as the trusted `workflow_run` event tells it. */
export interface MeasuredRun {
	readonly run: RunIdentity;
	/** Path of its workflow file in the repository; null when the event does not say. */
	readonly workflow: string | null;
	/** When this attempt began, ISO 8601; null when the event does not say. */
	readonly startedAt: string | null;
	readonly headSha: string;
	/** `owner/name`. */
	readonly headRepository: string;
	readonly headBranch: string;
	/** Event that started it: `pull_request`, … */
	readonly event: string;
	/** `success`, `failure`, `cancelled`, … */
	readonly conclusion: string | null;
	/** Numbers of pull requests of this repository the event lists; empty for forks. */
	readonly pullRequests: readonly number[];
}

/** Why there is no result. */
export interface Failure {
	/** Code of the UserError, e.g. `build-failed`; `internal` for a bug of ours. */
	readonly code: string;
	/** Side that broke, when it was one. */
	readonly side: Side | null;
	readonly message: string;
	readonly where: string | null;
	readonly remedy: string | null;
	/** Last lines of a log. */
	readonly details: string | null;
	/** Bad config or inputs: red in every gate mode, because somebody has to fix it. */
	readonly usage: boolean;
}

/** What a run came to: the one thing comment, summary, check, outputs and artifact are made from. */
export type Conclusion =
	| { readonly kind: 'compared'; readonly result: Result }
	/** Both sides are the same code where it matters; nothing was measured. */
	| {
			readonly kind: 'unchanged';
			readonly base: Pick<RevisionInfo, 'label'>;
			readonly head: Pick<RevisionInfo, 'label'>;
	  }
	| { readonly kind: 'failed'; readonly failure: Failure }
	| { readonly kind: 'cancelled' };

export const PUBLICATION_SCHEMA_VERSION = 1;
/** Name of the file in the artifact. */
export const PUBLICATION_FILE = 'publication.json';

/**
 * `publication.json` of the artifact: what the measuring job hands to the reporting job. Written by the untrusted side: its
 * reader believes nothing of it but numbers and words to be escaped, and takes identity from its own event.
 */
export interface Publication {
	readonly schemaVersion: typeof PUBLICATION_SCHEMA_VERSION;
	readonly kind: 'benchgate-publication';
	/** The run and attempt that wrote it; absent in publications of versions before this was written. */
	readonly run?: Pick<RunIdentity, 'id' | 'attempt'>;
	readonly headSha: string;
	readonly commentKey: string;
	readonly gate: GateMode;
	readonly onInconclusive: InconclusivePolicy;
	readonly conclusion: Conclusion;
	readonly warnings: readonly Warning[];
}

/** What the gate says over a conclusion, for a check, the step and outputs. */
export interface Consequence {
	readonly outcome: GateOutcome;
	readonly checkConclusion: 'success' | 'failure' | 'neutral' | 'cancelled';
	/** Whether the step fails, after everything is published. */
	readonly failStep: boolean;
}

/** A line of a file a regressed row is annotated on. */
export interface Annotation {
	/** Relative to the repository. */
	readonly path: string;
	readonly line: number;
	readonly level: 'failure' | 'warning' | 'notice';
	readonly title: string;
	readonly message: string;
}

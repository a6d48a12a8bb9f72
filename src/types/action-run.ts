import { INCONCLUSIVE_POLICY } from './config.ts';
import { COMMENT_KEY, FULL_HASH } from './identifiers.ts';
import { RESULT } from './result.ts';
import {
	enumOf,
	FLAG,
	type Infer,
	kindsOf,
	limited,
	listOf,
	literal,
	objectOf,
	optional,
	orNull,
	ref,
	schemaOf,
	TEXT,
} from './schema.ts';
import { SIDE_OR_NULL, WARNING } from './units.ts';
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
export type Failure = Infer<typeof FAILURE>;
const FAILURE = objectOf({
	/** Code of the UserError, e.g. `build-failed`; `internal` for a bug of ours. */
	code: TEXT,
	/** Side that broke, when it was one. */
	side: SIDE_OR_NULL,
	message: TEXT,
	where: orNull(TEXT),
	remedy: orNull(TEXT),
	/** Last lines of a log. */
	details: orNull(TEXT),
	/** Bad config or inputs: red in every gate mode, because it has to be fixed. */
	usage: FLAG,
});

const LABELLED = objectOf({ label: TEXT });

/** The outcome of a run: the one thing comment, summary, check, outputs and artifact are made from. */
export type Conclusion = Infer<typeof CONCLUSION>;
const CONCLUSION = kindsOf([
	objectOf({ kind: literal('compared'), result: ref(RESULT) }),
	/** Both sides are the same code where it matters; nothing was measured. */
	objectOf({ kind: literal('unchanged'), base: LABELLED, head: LABELLED }),
	objectOf({ kind: literal('failed'), failure: FAILURE }),
	objectOf({ kind: literal('cancelled') }),
]);

export const PUBLICATION_SCHEMA_VERSION = 1;

/** Of runs and attempts: GitHub counts from 1. */
const ID = schemaOf<number>({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/**
 * `publication.json` of the artifact: what the measuring job hands to the reporting job. Written by the untrusted side: its
 * reader believes nothing of it but numbers and words to be escaped, and takes identity from its own event.
 */
export type Publication = Infer<typeof PUBLICATION>;
export const PUBLICATION = objectOf({
	schemaVersion: literal(PUBLICATION_SCHEMA_VERSION),
	kind: literal('benchgate-publication'),
	/** The run and attempt that wrote it; absent in publications of versions before this was written. */
	run: optional(objectOf({ id: ID, attempt: ID })),
	headSha: limited(TEXT, { pattern: `^${FULL_HASH}$` }),
	commentKey: limited(TEXT, { pattern: `^${COMMENT_KEY}$` }),
	gate: enumOf(GATE_MODES),
	onInconclusive: INCONCLUSIVE_POLICY,
	conclusion: CONCLUSION,
	warnings: listOf(ref(WARNING)),
});

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

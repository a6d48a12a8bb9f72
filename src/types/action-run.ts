import { INCONCLUSIVE_POLICY } from './config.ts';
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
import { COMMENT_KEY, FULL_HASH } from './shared-names.ts';
import { SIDE_OR_NULL, WARNING } from './units.ts';
import type { GateOutcome } from './verdict.ts';

/** The `mode` input chooses these, regardless of the event. */
export const STANDALONE_MODES = ['bisect', 'selftest', 'record'] as const;
export type StandaloneMode = (typeof STANDALONE_MODES)[number];

/** Jobs of one comparison: one plans, many measure, one decides and reports. */
export const SHARD_MODES = ['plan', 'shard', 'gather'] as const;
export type ShardMode = (typeof SHARD_MODES)[number];

export const ACTION_MODES = ['auto', 'compare', 'baseline', 'report', ...SHARD_MODES, ...STANDALONE_MODES] as const;
export type ActionMode = (typeof ACTION_MODES)[number];

export const GATE_MODES = ['enforce', 'advisory'] as const;
export type GateMode = (typeof GATE_MODES)[number];

export const COMMENT_POLICIES = ['always', 'on-change', 'never'] as const;
export type CommentPolicy = (typeof COMMENT_POLICIES)[number];

export const CONFIG_SOURCES = ['base', 'head'] as const;
export type ConfigSource = (typeof CONFIG_SOURCES)[number];

export interface Repository {
	readonly owner: string;
	readonly repo: string;
}

export interface RunnerContext {
	readonly eventName: string;
	/** Not validated: use `readRequest`. */
	readonly payload: unknown;
	readonly repository: Repository;
	readonly sha: string;
	readonly ref: string;
	/** User of the first attempt, even after another user's re-run. */
	readonly actor?: string | undefined;
	readonly run: RunIdentity;
	/** File name; null if unknown. */
	readonly workflow?: string | null;
	/** `https://github.com` or an enterprise instance. */
	readonly serverUrl: string;
	readonly apiUrl: string;
	readonly workspace: string;
	/** The runner empties it after the job. */
	readonly tempFolder: string;
}

/** Identifies the writer of a text: only a later run may overwrite it. */
export interface RunIdentity {
	readonly id: number;
	readonly attempt: number;
	readonly url: string;
}

export interface PullRequest {
	readonly number: number;
	readonly headSha: string;
	/** Tip of the base branch in the event or the API; may be weeks old. */
	readonly baseSha: string;
	/** `owner/name` of the head branch; null if deleted. */
	readonly headRepository: string | null;
}

export type BaseRule =
	| { readonly kind: 'merge-base'; readonly with: string }
	| { readonly kind: 'commit'; readonly sha: string }
	/** The latest release; without a release, head itself (A/A). */
	| { readonly kind: 'anchor' }
	| { readonly kind: 'parent' }
	/** Any revision `--base` accepts. */
	| { readonly kind: 'given'; readonly revision: string };

export interface CompareRequest {
	readonly kind: 'compare';
	readonly base: BaseRule;
	/**
	 * Tip of the target branch, as a commit or `git:REF`. Its config applies: a pull request's author chooses the
	 * branch point. If null, base's own config applies.
	 */
	readonly baseTip: string | null;
	/** A commit or a revision from the user. */
	readonly head: string;
	readonly pullRequest: PullRequest | null;
	readonly checkSha: string;
	readonly gate: GateMode;
	/** Comment that started this attempt. Replaces the inputs `scenarios` and `threshold`. */
	readonly command: BenchCommand | null;
	/** `pull request #12`, `push to main`. */
	readonly title: string;
}

export type ActionRequest =
	| CompareRequest
	| { readonly [Mode in ShardMode]: { readonly kind: Mode; readonly asked: CompareRequest } }[ShardMode]
	/** Measures the branch against its last release; another job stores the result. */
	| {
			readonly kind: 'baseline';
			/** A commit or a revision from the user. */
			readonly head: string;
			readonly branch: string | null;
			readonly title: string;
	  }
	/** Re-runs a measuring run after checking the commenter's permission; measures nothing. */
	| {
			readonly kind: 'command';
			readonly command: BenchCommand | MisreadCommand;
			readonly pullRequestNumber: number;
			readonly commentId: number;
			readonly user: string;
	  }
	| { readonly kind: 'report'; readonly measured: MeasuredRun }
	/** A run has begun. */
	| { readonly kind: 'announce'; readonly measured: MeasuredRun }
	| { readonly [Mode in StandaloneMode]: { readonly kind: Mode } }[StandaloneMode]
	/** A green run; logs the reason. */
	| { readonly kind: 'nothing'; readonly reason: string };

export type RequestOf<Kind extends ActionRequest['kind']> = Extract<ActionRequest, { kind: Kind }>;

/** `/benchgate [scenario…] [threshold=5%]`. */
export interface BenchCommand {
	readonly scenarios: readonly string[];
	readonly threshold: string | undefined;
}

/** The problem may quote the comment, so escape it. */
export interface MisreadCommand {
	readonly problem: string;
}

export const DEFAULT_KEY = 'default';

/** Conclusions of runs whose jobs did not start; starting needs a separate approval. */
export const NEVER_STARTED: readonly string[] = ['action_required', 'skipped'];

/** For these events, a failed gate blocks the merge. */
export const PULL_REQUEST_EVENTS: readonly string[] = ['pull_request', 'merge_group'];

/** Taken from the trusted `workflow_run` event. */
export interface MeasuredRun {
	readonly run: RunIdentity;
	readonly workflow: string | null;
	/** Start of this attempt, ISO 8601. */
	readonly startedAt: string | null;
	readonly headSha: string;
	/** `owner/name`. */
	readonly headRepository: string;
	readonly headBranch: string;
	/** `pull_request`, … */
	readonly event: string;
	/** `success`, `failure`, `cancelled`, … */
	readonly conclusion: string | null;
	/** Pull requests of this repository; empty for forks. */
	readonly pullRequests: readonly number[];
}

export type Failure = Infer<typeof FAILURE>;
const FAILURE = objectOf({
	/** Code of the UserError, e.g. `build-failed`; `internal` for a bug in benchgate. */
	code: TEXT,
	side: SIDE_OR_NULL,
	message: TEXT,
	where: orNull(TEXT),
	remedy: orNull(TEXT),
	/** Last lines of a log. */
	details: orNull(TEXT),
	/** Invalid config or inputs: these fail in every gate mode. */
	usage: FLAG,
});

const LABELLED = objectOf({ label: TEXT });

/** Comment, summary, check, outputs and artifact are made from this. */
export type Conclusion = Infer<typeof CONCLUSION>;
const CONCLUSION = kindsOf([
	objectOf({ kind: literal('compared'), result: ref(RESULT) }),
	/** Both sides have the same relevant code; not measured. */
	objectOf({ kind: literal('unchanged'), base: LABELLED, head: LABELLED }),
	objectOf({ kind: literal('failed'), failure: FAILURE }),
	objectOf({ kind: literal('cancelled') }),
]);

export const PUBLICATION_SCHEMA_VERSION = 1;

/** GitHub counts from 1. */
const ID = schemaOf<number>({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/**
 * `publication.json`, which the measuring job passes to the reporting job. The untrusted side writes it: use only its
 * numbers and escaped text, with the identity from the reader's own event.
 */
export type Publication = Infer<typeof PUBLICATION>;
export const PUBLICATION = objectOf({
	schemaVersion: literal(PUBLICATION_SCHEMA_VERSION),
	kind: literal('benchgate-publication'),
	run: optional(objectOf({ id: ID, attempt: ID })),
	headSha: limited(TEXT, { pattern: `^${FULL_HASH}$` }),
	commentKey: limited(TEXT, { pattern: `^${COMMENT_KEY}$` }),
	gate: enumOf(GATE_MODES),
	onInconclusive: INCONCLUSIVE_POLICY,
	conclusion: CONCLUSION,
	warnings: listOf(ref(WARNING)),
});

export interface Consequence {
	readonly outcome: GateOutcome;
	readonly checkConclusion: 'success' | 'failure' | 'neutral' | 'cancelled';
	/** Fails the step after publishing. */
	readonly failStep: boolean;
}

export interface Annotation {
	/** Relative to the repository's root. */
	readonly path: string;
	readonly line: number;
	readonly level: 'failure' | 'warning' | 'notice';
	readonly title: string;
	readonly message: string;
}

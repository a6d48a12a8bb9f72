/** Access of a token's permission. `none` also hides readable data, as in a private repository. */
export type Access = 'none' | 'read' | 'write';
export type Permission = 'issues' | 'pull-requests' | 'checks' | 'contents' | 'actions' | 'statuses';
export type CollaboratorRole = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

export interface Double {
	/** `http://127.0.0.1:PORT`, for GITHUB_API_URL. */
	readonly url: string;
	readonly state: DoubleState;
	/** In order of arrival, including redirected downloads. */
	readonly calls: Call[];
	/** Of requests, and of the double's own answers. */
	readonly problems: string[];
	/** Throws after a request GitHub would reject or an answer GitHub would not give. */
	close(): Promise<void>;
}

export interface Call {
	readonly method: string;
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	/** Parsed JSON; undefined without a body. */
	readonly body: unknown;
	/** 0 for a dropped connection. */
	readonly status: number;
	/** `issues/create-comment`; null for an unknown operation. */
	readonly operationId: string | null;
	/** `authorization` header without its scheme. */
	readonly token: string | null;
}

/** Plain data; defaults are in `initialState`. */
export interface DoubleState {
	/** Others answer 404. Default `o/r`. */
	repository: string;
	defaultBranch: string;
	/** Default `write`. */
	permissions: Partial<Record<Permission, Access>>;
	/** Owner of the token; default `github-actions[bot]`. */
	user: Account;
	/** Valid tokens; null for any. */
	tokens: string[] | null;
	/** Without pull requests. */
	issues: number[];
	/** Oldest first. */
	threads: StoredIssue[];
	withoutIssues: boolean;
	/** Default: one open pull request, number 1, from `examplePull()`. */
	pulls: StoredPull[];
	/** Oldest first. */
	comments: StoredComment[];
	reactions: StoredReaction[];
	/** Oldest first. `StoredPull.labels` has the current ones. */
	labelsEvents: LabelEvent[];
	/** Oldest first. Ids follow those of `labelsEvents`. */
	otherEvents: OtherEvent[];
	/** By login. A stranger to a public repository has `read`; an unknown login answers 404. */
	collaborators: Record<string, CollaboratorRole>;
	checkRuns: StoredCheckRun[];
	statuses: StoredStatus[];
	/** Newest first. */
	releases: StoredRelease[];
	/** `heads/main`, `tags/v1.0.0` → commit. */
	refs: Record<string, string>;
	/** Commit → parents; null: every full sha exists, without parents. */
	commits: Record<string, string[]> | null;
	/** `base...head` → merge base; others answer 404. */
	compare: Record<string, string>;
	/** `base...head` → changed paths. */
	compared: Record<string, string[]>;
	/** Path → text, on every ref. */
	contents: Record<string, string>;
	/** Ref → path → text, overriding `contents`; null removes a file. */
	contentsAt: Record<string, Record<string, string | null>>;
	/** Symbolic link → target from the root, on every ref. */
	links: Record<string, string>;
	runs: StoredRun[];
	/** Workflow files without runs. */
	workflows: string[];
	artifacts: StoredArtifact[];
	/** In this hour. At 0 the primary rate limit answers. */
	rateLimit: { limit: number; remaining: number /** Unix seconds. */; reset: number };
	/** The first match answers. faults.ts has common ones. */
	faults: Fault[];
	/** Ignores invalid requests on `close()`; invalid answers still throw. */
	allowInvalid: boolean;
}

export interface Account {
	login: string;
	type: 'User' | 'Bot';
}

export interface StoredComment {
	id: number;
	/** Issue or pull request. */
	issue: number;
	body: string;
	user: Account;
	createdAt?: string;
	updatedAt?: string;
	/** App; default `github-actions` for bots, null for users. */
	app?: string | null;
	/** Default NONE; CONTRIBUTOR for bots. */
	authorAssociation?: string;
}

export interface StoredIssue {
	number: number;
	title: string;
	body: string;
	user: Account;
	/** Default open. */
	state?: 'open' | 'closed';
	/** GitHub's `state_reason`. */
	reason?: 'completed' | 'not_planned' | 'reopened' | null;
	closedBy?: Account | null;
	createdAt?: string;
	/** App; default `github-actions` for bots, null for users. */
	app?: string | null;
	/** A pull request in a list of issues. */
	pull?: boolean;
}

export interface StoredPull {
	number: number;
	headSha: string;
	baseSha: string;
	/** `owner/name`; null for a deleted fork. */
	headRepository: string | null;
	headRef: string;
	baseRef: string;
	/** Login. */
	author: string;
	state?: 'open' | 'closed';
	draft?: boolean;
	title?: string;
	body?: string | null;
	labels?: string[];
	files?: string[];
	/** By file. */
	patches?: Readonly<Record<string, string>>;
	createdAt?: string;
}

export interface LabelEvent {
	issue: number;
	label: string;
	/** Login; null for a deleted account, which GitHub shows as `ghost`. */
	actor: string | null;
	/** Default `labeled`. */
	event?: 'labeled' | 'unlabeled';
	createdAt?: string;
	/** App acting for the actor. */
	app?: string;
}

/** `head_ref_force_pushed`, `reopened`, … */
export interface OtherEvent {
	issue: number;
	event: string;
	createdAt: string;
}

export interface StoredReaction {
	id: number;
	commentId: number;
	content: string;
	user: Account;
}

export interface StoredCheckRun {
	id: number;
	name: string;
	headSha: string;
	status: string;
	conclusion: string | null;
	externalId: string;
	detailsUrl: string | null;
	startedAt: string | null;
	completedAt: string | null;
	output: { title: string | null; summary: string | null; text: string | null };
	/** As requested. Updates append. */
	annotations: Record<string, unknown>[];
}

export interface StoredStatus {
	id: number;
	sha: string;
	state: string;
	context: string;
	description: string | null;
	targetUrl: string | null;
}

export interface StoredRelease {
	tag: string;
	sha: string;
	draft?: boolean;
	prerelease?: boolean;
}

export interface StoredRun {
	id: number;
	headSha: string;
	headBranch: string;
	/** `owner/name`. */
	headRepository: string;
	event: string;
	status?: string;
	conclusion?: string | null;
	attempt?: number;
	workflow?: string;
	/** Default `bench.yml`. */
	file?: string;
	/** Empty for forks. */
	pullRequests?: number[];
	createdAt?: string;
	tree?: string;
	jobs?: { id: number; name: string; status?: string; conclusion?: string | null }[];
}

export interface StoredArtifact {
	id: number;
	name: string;
	runId: number;
	zip: Uint8Array;
	/** That of `zip` when absent. */
	sizeBytes?: number;
	expired?: boolean;
	createdAt?: string;
}

export interface Fault {
	/** Matches `METHOD /path`, without the query. */
	match: RegExp;
	/** 0 drops the connection. */
	status: number;
	headers?: Record<string, string>;
	/** Default: GitHub's body for this status. */
	body?: unknown;
	/** Remaining uses. */
	times: number;
	/** The request takes effect; only the answer is lost. */
	applied?: boolean;
}

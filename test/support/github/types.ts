/** What a permission of the token allows. `none` also hides what can be read, as in a private repository. */
export type Access = 'none' | 'read' | 'write';
export type Permission = 'issues' | 'pull-requests' | 'checks' | 'contents' | 'actions' | 'statuses';
export type CollaboratorRole = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

/** A running double of GitHub's API. */
export interface Double {
	/** `http://127.0.0.1:PORT`: what GITHUB_API_URL is set to. */
	readonly url: string;
	/** Tests may change it while the double runs. */
	readonly state: DoubleState;
	/** Every request so far, the redirected downloads too, in order of arrival. */
	readonly calls: Call[];
	/** What was wrong so far with requests or with the double's own answers. */
	readonly problems: string[];
	/** Stops the double. Throws when a request was one GitHub would reject, or an answer one GitHub would not give. */
	close(): Promise<void>;
}

export interface Call {
	readonly method: string;
	/** Without the query. */
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	/** Parsed JSON; undefined without a body. */
	readonly body: unknown;
	/** 0 when the connection was dropped. */
	readonly status: number;
	/** GitHub's name for it, such as `issues/create-comment`; null when there is no such operation. */
	readonly operationId: string | null;
	/** What the request carried in `authorization`, without its scheme. */
	readonly token: string | null;
}

/** Everything the double knows. Plain data; what a test leaves out is as `initialState` says. */
export interface DoubleState {
	/** The one repository there is, `owner/name`; any other one answers 404. Default `o/r`. */
	repository: string;
	defaultBranch: string;
	/** Of the token. A permission that is not named is `write`. */
	permissions: Partial<Record<Permission, Access>>;
	/** Whom the token belongs to. Default: what a workflow's own token is, `github-actions[bot]`. */
	user: Account;
	/** Tokens that are good; null: every one. */
	tokens: string[] | null;
	/** Numbers of issues that are no pull requests. */
	issues: number[];
	/** Issues with their text, oldest first. */
	threads: StoredIssue[];
	/** Whether the repository has issues switched off. */
	withoutIssues: boolean;
	/** Default: one open pull request, number 1, as `examplePull()` makes it. */
	pulls: StoredPull[];
	/** Comments of every issue and pull request, oldest first. */
	comments: StoredComment[];
	reactions: StoredReaction[];
	/** Who put which label on what, oldest first. Labels that are there now are `StoredPull.labels`. */
	labelsEvents: LabelEvent[];
	/** What else happened, oldest first. Its ids follow those of `labelsEvents`. */
	otherEvents: OtherEvent[];
	/** Logins that exist. A stranger to a public repository has `read`; a login that is missing here answers 404. */
	collaborators: Record<string, CollaboratorRole>;
	checkRuns: StoredCheckRun[];
	statuses: StoredStatus[];
	/** Newest first. */
	releases: StoredRelease[];
	/** `heads/main`, `tags/v1.0.0` → commit. */
	refs: Record<string, string>;
	/** Commits that exist, with their parents; null: every full sha exists, without parents. */
	commits: Record<string, string[]> | null;
	/** `base...head` → merge base. A comparison that is not here answers 404. */
	compare: Record<string, string>;
	/** `base...head` → paths that differ; none where nothing is said. */
	compared: Record<string, string[]>;
	/** Path → text, on every ref. */
	contents: Record<string, string>;
	/** Ref → path → text, in the place of `contents`; null for a file that this ref has not. */
	contentsAt: Record<string, Record<string, string | null>>;
	/** Symbolic link → path that it leads to from the top, on every ref. */
	links: Record<string, string>;
	runs: StoredRun[];
	/** Files of workflows that have no runs. */
	workflows: string[];
	artifacts: StoredArtifact[];
	/** Requests left in this hour. At 0 the primary rate limit answers. */
	rateLimit: { limit: number; remaining: number /** Unix seconds. */; reset: number };
	/** What goes wrong on purpose; the first that matches answers. See faults.ts for ready ones. */
	faults: Fault[];
	/** Lets `close()` pass although a request was invalid. Invalid answers still throw. */
	allowInvalid: boolean;
}

export interface Account {
	login: string;
	type: 'User' | 'Bot';
}

export interface StoredComment {
	id: number;
	/** Number of the issue or pull request. */
	issue: number;
	body: string;
	user: Account;
	/** ISO 8601. */
	createdAt?: string;
	updatedAt?: string;
	/** App that wrote it; default `github-actions` for bots, none for users. */
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
	/** Why it is in that state, as GitHub says it. */
	reason?: 'completed' | 'not_planned' | 'reopened' | null;
	closedBy?: Account | null;
	createdAt?: string;
	/** App that wrote it; default `github-actions` for bots, none for users. */
	app?: string | null;
	/** A pull request, as lists of issues show it. */
	pull?: boolean;
}

export interface StoredPull {
	number: number;
	headSha: string;
	baseSha: string;
	/** `owner/name`; null when the fork is gone. */
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
	/** Paths that it changes. */
	files?: string[];
	createdAt?: string;
}

export interface LabelEvent {
	issue: number;
	label: string;
	/** Login; null when the account is gone: GitHub then says `ghost`. */
	actor: string | null;
	/** Default `labeled`. */
	event?: 'labeled' | 'unlabeled';
	createdAt?: string;
	/** App that did it in the actor's name; default none. */
	app?: string;
}

/** Something else that happened to an issue or a pull request: `head_ref_force_pushed`, `reopened`. */
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
	/** As the request gave them. Updates append. */
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
	/** What the tag points at. */
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
	/** Event that started it. */
	event: string;
	status?: string;
	conclusion?: string | null;
	attempt?: number;
	/** Name of the workflow. */
	workflow?: string;
	/** Its file; default `bench.yml`. */
	file?: string;
	/** Numbers that GitHub lists; none for forks. */
	pullRequests?: number[];
	createdAt?: string;
	/** Tree of its head commit; not told when absent. */
	tree?: string;
	jobs?: { id: number; name: string; status?: string; conclusion?: string | null }[];
}

export interface StoredArtifact {
	id: number;
	name: string;
	runId: number;
	zip: Uint8Array;
	/** What GitHub says of its size; that of `zip` when absent. */
	sizeBytes?: number;
	expired?: boolean;
	createdAt?: string;
}

export interface Fault {
	/** Tested against `METHOD /path`, without the query. */
	match: RegExp;
	/** 0 drops the connection. */
	status: number;
	headers?: Record<string, string>;
	/** Default: what GitHub says with this status. */
	body?: unknown;
	/** How often it strikes; counted down. */
	times: number;
	/** Do what was asked, and lose only the answer. */
	applied?: boolean;
}

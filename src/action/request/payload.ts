/** Checked reading of an event's payload. */
import { formatValue } from '../../config/file/problem.ts';
import { plainText } from '../../text/escape.ts';
import type { MeasuredRun, PullRequest } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/identifiers.ts';

/** Where GitHub takes workflows from. */
const WORKFLOW_PATH = /^\.github\/workflows\/[^\p{Cc}/]{1,200}\.ya?ml$/u;

/** What a value must look like: `accepts` says whether, `form` says it in words. */
export interface Form<T> {
	readonly accepts: (value: unknown) => value is T;
	readonly words: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** A commit, also of a repository that uses SHA-256. */
export const SHA: Form<string> = {
	accepts: (value): value is string => isText(value) && isFullHash(value),
	words: 'a commit',
};
/** A positive whole number: issue, comment, run. */
export const ID: Form<number> = {
	accepts: (value): value is number => Number.isSafeInteger(value) && (value as number) > 0,
	words: 'a positive whole number',
};
export const LOGIN: Form<string> = {
	accepts: (value): value is string => isText(value) && /^[A-Za-z0-9_-]{1,100}(?:\[bot\])?$/.test(value),
	words: 'a user name',
};
const FULL_NAME: Form<string> = {
	accepts: (value): value is string => isText(value) && /^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/.test(value),
	words: 'a repository as owner/name',
};
/** What git allows in a ref is wide; what it never allows is kept out. */
export const REF: Form<string> = {
	accepts: (value): value is string => isText(value) && /^[^\p{Cc}\s~^:?*[\\]{1,1024}$/u.test(value),
	words: 'a branch or ref',
};
/** A word of GitHub's own: actions, conclusions, names of events. */
export const WORD: Form<string> = {
	accepts: (value): value is string => isText(value) && /^[a-z_]{1,64}$/.test(value),
	words: 'a word',
};
const URL_TEXT: Form<string> = {
	accepts: (value): value is string => isText(value) && /^https?:\/\/[^\s\p{Cc}"<>]{1,2000}$/u.test(value),
	words: 'an address',
};
export const TEXT: Form<string> = { accepts: isText, words: 'text' };
export const LIST: Form<readonly unknown[]> = { accepts: (value) => Array.isArray(value), words: 'a list' };

/** Returns the form that also allows null. */
export function orNull<T>({ accepts, words }: Form<T>): Form<T | null> {
	return {
		accepts: (value): value is T | null => value === null || accepts(value),
		words: `${words}, or null`,
	};
}

/** Returns the value at a path such as `pull_request.head.sha`, own properties only; undefined when it is not there. */
export function peek(payload: unknown, path: string): unknown {
	let value = payload;
	for (const key of path.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
		value = (value as Record<string, unknown>)[key];
	}
	return value;
}

/**
 * Returns the value at a path of the payload.
 *
 * @throws UserError `bad-event` naming path, value and form when it is not there or not of that form.
 */
export function read<T>(payload: unknown, path: string, form: Form<T>): T {
	const value = peek(payload, path);
	if (form.accepts(value)) return value;
	const found = value === undefined ? 'missing' : plainText(formatValue(value), 80);
	throw badEvent(`${path} is ${found}, where ${form.words} belongs`);
}

/** Returns the error for a payload that GitHub would not send. */
export function badEvent(message: string): UserError {
	return new UserError({
		code: 'bad-event',
		where: 'the event (GITHUB_EVENT_PATH)',
		message,
		remedy: 'GitHub always sends this value; if you wrote the event by hand (for act, for example), add it',
	});
}

/** Returns the pull request of a `pull_request` event. Throws UserError `bad-event` when a part is missing or odd. */
export function readPullRequest(payload: unknown): PullRequest {
	const at = <T>(path: string, form: Form<T>) => read(payload, `pull_request.${path}`, form);
	// Null when the fork was deleted, or its owner's account.
	const headRepository = at('head.repo', orNull(MAPPING)) === null ? null : at('head.repo.full_name', FULL_NAME);
	return {
		number: at('number', ID),
		headSha: at('head.sha', SHA),
		baseSha: at('base.sha', SHA),
		headRepository,
	};
}

const MAPPING: Form<object> = {
	accepts: (value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value),
	words: 'a mapping',
};

// What a `workflow_run` event says of the run that has ended.

/**
 * Returns the run that a `workflow_run` event is about.
 *
 * @param repository `owner/name` of the repository we run in.
 * @throws UserError `bad-event` when a part is missing or odd, or the run is another repository's.
 */
export function readMeasuredRun(payload: unknown, repository: string): MeasuredRun {
	const owner = read(payload, 'workflow_run.repository.full_name', FULL_NAME);
	if (owner.toLowerCase() !== repository.toLowerCase()) {
		throw badEvent(`the finished run belongs to ${owner}, and this workflow to ${repository}`);
	}
	return {
		run: {
			id: read(payload, 'workflow_run.id', ID),
			attempt: read(payload, 'workflow_run.run_attempt', ID),
			url: read(payload, 'workflow_run.html_url', URL_TEXT),
		},
		workflow: workflowOf(payload),
		startedAt: timeOf(payload),
		headSha: read(payload, 'workflow_run.head_sha', SHA),
		headRepository: read(payload, 'workflow_run.head_repository.full_name', FULL_NAME),
		headBranch: read(payload, 'workflow_run.head_branch', orNull(REF)) ?? '',
		event: read(payload, 'workflow_run.event', WORD),
		conclusion: read(payload, 'workflow_run.conclusion', orNull(WORD)),
		pullRequests: ownPullRequests(payload),
	};
}

/** The list also names pull requests that forks keep against themselves; those are none of ours. */
function ownPullRequests(payload: unknown): number[] {
	const repository = read(payload, 'workflow_run.repository.id', ID);
	return read(payload, 'workflow_run.pull_requests', LIST)
		.filter((pull) => peek(pull, 'base.repo.id') === repository)
		.map((pull) => read(pull, 'number', ID));
}

/** Older instances do not send it; some name the ref behind the path. */
function workflowOf(payload: unknown): string | null {
	const path = peek(payload, 'workflow_run.path') ?? peek(payload, 'workflow.path') ?? null;
	if (path === null) return null;
	const [file = ''] = read({ path }, 'path', TEXT).split('@');
	return WORKFLOW_PATH.test(file) ? file : null;
}

function timeOf(payload: unknown): string | null {
	const time = peek(payload, 'workflow_run.run_started_at');
	return typeof time === 'string' && !Number.isNaN(Date.parse(time)) ? time : null;
}

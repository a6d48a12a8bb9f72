import { formatValue } from '../../config/file/problem.ts';
import { plainText } from '../../text/escape.ts';
import type { MeasuredRun, PullRequest } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/shared-names.ts';

const WORKFLOW_PATH = /^\.github\/workflows\/[^\p{Cc}/]{1,200}\.ya?ml$/u;

export interface Form<T> {
	readonly accepts: (value: unknown) => value is T;
	readonly words: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** SHA-1 or SHA-256. */
export const SHA: Form<string> = {
	accepts: (value): value is string => isText(value) && isFullHash(value),
	words: 'a commit',
};
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
/** Refuses characters that git never allows. */
export const REF: Form<string> = {
	accepts: (value): value is string => isText(value) && /^[^\p{Cc}\s~^:?*[\\]{1,1024}$/u.test(value),
	words: 'a branch or ref',
};
/** Action, conclusion or event name. */
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

export function orNull<T>({ accepts, words }: Form<T>): Form<T | null> {
	return {
		accepts: (value): value is T | null => value === null || accepts(value),
		words: `${words}, or null`,
	};
}

/**
 * Returns the value at a path such as `pull_request.head.sha`, or undefined if it is missing. Reads own properties
 * only.
 */
export function peek(payload: unknown, path: string): unknown {
	let value = payload;
	for (const key of path.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
		value = (value as Record<string, unknown>)[key];
	}
	return value;
}

/** Throws UserError `bad-event` with path, value and form. */
export function read<T>(payload: unknown, path: string, form: Form<T>): T {
	const value = peek(payload, path);
	if (form.accepts(value)) return value;
	const valueText = value === undefined ? 'missing' : plainText(formatValue(value), 80);
	throw badEvent(`${path} is ${valueText}, where ${form.words} belongs`);
}

export function badEvent(message: string): UserError {
	return new UserError({
		code: 'bad-event',
		where: 'the event (GITHUB_EVENT_PATH)',
		message,
		remedy: 'GitHub always sends this value; if you wrote the event by hand (for act, for example), add it',
	});
}

/** Throws UserError `bad-event`. */
export function readPullRequest(payload: unknown): PullRequest {
	const at = <T>(path: string, form: Form<T>) => read(payload, `pull_request.${path}`, form);
	// Null if the fork or its owner was deleted.
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

/**
 * Returns the finished run of a `workflow_run` event.
 *
 * @param repository `owner/name` of the current repository; runs of others are refused.
 * @throws UserError `bad-event`.
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

/** GitHub also lists pull requests within forks; these are left out. */
function ownPullRequests(payload: unknown): number[] {
	const repository = read(payload, 'workflow_run.repository.id', ID);
	return read(payload, 'workflow_run.pull_requests', LIST)
		.filter((pull) => peek(pull, 'base.repo.id') === repository)
		.map((pull) => read(pull, 'number', ID));
}

/** Older GitHub instances send no path, and some append `@` and the ref to it. */
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

import { formatValue } from '../../config/file/problem.ts';
import { plainText } from '../../text/escape.ts';
import type { PullRequest } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/identifiers.ts';

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
export const FULL_NAME: Form<string> = {
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
export const URL_TEXT: Form<string> = {
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

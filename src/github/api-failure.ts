import { plainText } from '../text/escape.ts';
import { isUserError, UserError } from '../types/errors.ts';
import type { Warning } from '../types/units.ts';

/** What was asked of GitHub, for the words of its failure. */
export interface Attempt {
	/** Completes "could not …": `write the comment on #12`. */
	readonly what: string;
	/** Permissions of the job it takes, beside `contents: read`. */
	readonly needs: Readonly<Record<string, 'read' | 'write'>>;
	/** Whether the run belongs to a pull request from a fork or from Dependabot, whose token is read-only whatever the workflow says. */
	readonly fromFork?: boolean;
}

interface Explanation {
	readonly code: 'missing-permission' | 'github-refused' | 'github-unreachable';
	readonly message: string;
	readonly remedy: string;
}

/** Longest sentence of GitHub's that is quoted, in characters. */
const QUOTE_LIMIT = 160;
const NO_PERMISSION = /not accessible by|must have .*(?:access|rights|permission)|permission/i;
const RATE_LIMIT = /rate limit|abuse detection/i;

/** Returns the HTTP status of a failed API call (500 for a broken connection), null for any other error. */
export function statusOf(error: unknown): number | null {
	if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
	return error.status;
}

/**
 * Returns the failed call as a warning: `missing-permission` with the YAML to add, `github-unreachable` (5xx, rate limits,
 * broken connections) or `github-refused` with GitHub's own words. Throws `error` again when it is no failed call.
 */
export function warningOf(error: unknown, attempt: Attempt): Warning {
	const { code, message, remedy } = explain(error, attempt);
	return { code, message: `${message} ${remedy}` };
}

/** Returns the failed call as an error its reader can fix, for calls without whose answer the run cannot go on. Codes as `warningOf`. */
export function userErrorOf(error: unknown, attempt: Attempt): UserError {
	return new UserError({ ...explain(error, attempt), cause: error });
}

function explain(error: unknown, attempt: Attempt): Explanation {
	// The client gives up on rate limits with an error of its own.
	if (isUserError(error) && error.code.startsWith('github-')) return unreachable(error.message, attempt);
	const status = statusOf(error);
	if (status === null) throw error;
	const words = plainText((error as Error).message, QUOTE_LIMIT);
	if (status === 401) return badToken(attempt);
	if (status >= 500 || status === 429 || (status === 403 && RATE_LIMIT.test(words))) {
		return unreachable(`GitHub answered ${status} (${words}).`, attempt);
	}
	// GitHub hides with 404 what a token may not see.
	if (status === 404) return missingPermission(attempt, 'GitHub does not show it to the token (404).');
	if (status === 403 && NO_PERMISSION.test(words)) return missingPermission(attempt, 'the token lacks the permission.');
	return {
		code: 'github-refused',
		message: `Could not ${attempt.what}: GitHub refused with ${status} (${words}).`,
		remedy: 'The verdict does not depend on it.',
	};
}

function missingPermission({ what, needs, fromFork }: Attempt, reason: string): Explanation {
	if (fromFork) {
		return {
			code: 'missing-permission',
			message: `Could not ${what}: GitHub gives runs for pull requests from forks and from Dependabot a read-only token, whatever their permissions say.`,
			remedy: `Add the report workflow (mode: report on workflow_run, see docs/fork-pull-requests.md) with ${yamlOf({ actions: 'read', ...needs })}`,
		};
	}
	return {
		code: 'missing-permission',
		message: `Could not ${what}: ${reason}`,
		remedy: `Add to the job, beside what is there: ${yamlOf(needs)}`,
	};
}

/** Flow style: the block stays valid YAML where a report makes one line of it. */
function yamlOf(needs: Attempt['needs']): string {
	const entries = Object.entries({ contents: 'read', ...needs }).map(([name, level]) => `${name}: ${level}`);
	return `permissions: { ${entries.join(', ')} }`;
}

function badToken({ what }: Attempt): Explanation {
	return {
		code: 'missing-permission',
		message: `Could not ${what}: GitHub does not accept the token (401).`,
		remedy: 'Leave the input github-token at its default, or pass a token that has not expired.',
	};
}

function unreachable(reason: string, { what }: Attempt): Explanation {
	return {
		code: 'github-unreachable',
		message: `Could not ${what}: ${reason}`,
		remedy: 'Run the job again later.',
	};
}

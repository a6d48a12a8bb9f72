import { plainText } from '../text/escape.ts';
import { isUserError, UserError } from '../types/errors.ts';
import type { Warning } from '../types/units.ts';

/** A request to GitHub, for its error messages. */
export interface Attempt {
	/** Completes "could not …": `write the comment on #12`. */
	readonly what: string;
	/** Required job permissions besides `contents: read`. */
	readonly needs: Readonly<Record<string, 'read' | 'write'>>;
	/** The run is of a fork or Dependabot, whose token is always read-only. */
	readonly fromFork?: boolean;
}

interface Explanation {
	readonly code: 'missing-permission' | 'github-refused' | 'github-unreachable';
	readonly message: string;
	readonly remedy: string;
}

/** Characters quoted from GitHub's messages. */
const QUOTE_LIMIT = 160;
const NO_PERMISSION = /not accessible by|must have .*(?:access|rights|permission)|permission/i;
const RATE_LIMIT = /rate limit|abuse detection/i;

/** Returns the HTTP status of a failed call (500 for a broken connection), null for other errors. */
export function statusOf(error: unknown): number | null {
	if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
	return error.status;
}

/**
 * Returns `missing-permission` with the YAML to add, `github-unreachable` (5xx, rate limits, broken connections) or
 * `github-refused` with GitHub's message. Rethrows others.
 */
export function warningOf(error: unknown, attempt: Attempt): Warning {
	const { code, message, remedy } = explain(error, attempt);
	return { code, message: `${message} ${remedy}` };
}

/** Returns an error like `warningOf`, for calls that the run depends on. */
export function userErrorOf(error: unknown, attempt: Attempt): UserError {
	return new UserError({ ...explain(error, attempt), cause: error });
}

function explain(error: unknown, attempt: Attempt): Explanation {
	// The client has its own error for rate limits.
	if (isUserError(error) && error.code.startsWith('github-')) return unreachable(error.message, attempt);
	const status = statusOf(error);
	if (status === null) throw error;
	const words = plainText((error as Error).message, QUOTE_LIMIT);
	if (status === 401) return badToken(attempt);
	if (status >= 500 || status === 429 || (status === 403 && RATE_LIMIT.test(words))) {
		return unreachable(`GitHub answered ${status} (${words}).`, attempt);
	}
	// GitHub answers 404 for objects hidden from a token.
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
			message: `Could not ${what}: GitHub gives runs for pull requests from forks and from Dependabot a read-only token, regardless of their permissions.`,
			remedy: `Add the report workflow (mode: report on workflow_run, see docs/fork-pull-requests.md) with ${yamlOf({ actions: 'read', ...needs })}`,
		};
	}
	return {
		code: 'missing-permission',
		message: `Could not ${what}: ${reason}`,
		remedy: `Add to the job, beside what is there: ${yamlOf(needs)}`,
	};
}

/** Returns YAML that is valid even when a report joins lines. */
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

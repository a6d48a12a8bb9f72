import { getOctokit } from '@actions/github';
import { retry } from '@octokit/plugin-retry';
import { type ThrottlingOptions, throttling } from '@octokit/plugin-throttling';
import { UserError } from '../types/errors.ts';
import { toolVersion } from '../version.ts';

export type GitHub = ReturnType<typeof getOctokit>;

export interface ClientOptions {
	readonly token: string;
	/** Like `https://api.github.com`. */
	readonly apiUrl: string;
	/** Called at every wait with one line, never with the token. */
	readonly warn: (text: string) => void;
	/** Shortens waits in tests. Rate limits count GitHub's own seconds. */
	readonly waitFactor?: number;
}

type Limits = Exclude<ThrottlingOptions, { enabled: false }>;

/** Seconds of waiting in total for one client. */
const RATE_LIMIT_PATIENCE = 120;
/** Waits per request, if GitHub names a time in the past. */
const RATE_LIMIT_WAITS = 5;
/** The repeats come after 1, 4 and 9 seconds. */
const REPEATS = 3;
/** Enough for a body of some megabytes. */
const TIMEOUT_MS = 60_000;
/** A shorter text is no GitHub token, and may be part of a word. */
const SHORTEST_SECRET = 16;
const API_VERSION = '2022-11-28';
/** Errors of requests never sent, so without effect. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * Returns a client that retries safe requests (`mayRepeat`) after 5xx and broken connections, and waits two minutes in
 * total for rate limits. Longer limits throw UserError `github-rate-limit`, an empty token `no-token`; other failures
 * octokit's RequestError, with status 500 for a broken connection.
 */
export function createClient(options: ClientOptions): GitHub {
	if (options.token === '') {
		throw new UserError({
			code: 'no-token',
			message: 'There is no token to talk to GitHub with.',
			where: 'github-token',
			remedy: "Leave the input out: its default is the workflow's own token.",
		});
	}
	const withoutToken = (text: string) =>
		options.token.length < SHORTEST_SECRET ? text : text.replaceAll(options.token, '***');
	const warn = (text: string) => options.warn(withoutToken(text));
	const waitFactor = options.waitFactor ?? 1;
	const github = getOctokit(
		options.token,
		{
			baseUrl: options.apiUrl.replace(/\/+$/, ''),
			userAgent: `benchgate/${toolVersion()}`,
			log: { debug() {}, info() {}, warn, error: warn },
			retry: {
				retries: REPEATS,
				retryAfterBaseValue: 1000 * waitFactor,
				doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451],
			},
			throttle: { ...waitForLimits(warn), ...WITHOUT_PAUSES, retryAfterBaseValue: 1000 * waitFactor },
		},
		// The first plugin is innermost and sees attempts. The others see requests.
		limitAttempts,
		retry,
		throttling,
	);
	github.hook.before('request', (request) => {
		// Octokit shares this object, and the retry plugin modifies it.
		request.request = { ...request.request, retryCount: 0 };
		request.headers['x-github-api-version'] ??= API_VERSION;
	});
	github.hook.error('request', (error) => {
		const message = withoutToken(error.message);
		// The message of an AbortError is read-only.
		if (message !== error.message) error.message = message;
		throw isRateLimit(error) ? limitReached(error) : error;
	});
	return github;
}

/** Limits the time of an attempt, and retries only safe requests. */
function limitAttempts(github: Pick<GitHub, 'hook'>): void {
	github.hook.wrap('request', async (send, request) => {
		const requestOptions = request.request;
		const timeout = AbortSignal.timeout(TIMEOUT_MS);
		// Octokit passes this object on, regardless of the argument of `send`. With `retries` set, the retry plugin
		// also repeats statuses it must never repeat.
		const signal = requestOptions.signal ? AbortSignal.any([requestOptions.signal, timeout]) : timeout;
		request.request = { ...requestOptions, retries: undefined, signal };
		try {
			return await send(request);
		} catch (error) {
			requestOptions.retries = mayRepeat(request, error) ? REPEATS : 0;
			throw error;
		} finally {
			request.request = requestOptions;
		}
	});
}

function waitForLimits(warn: (text: string) => void): Pick<Limits, 'onRateLimit' | 'onSecondaryRateLimit'> {
	let patience = RATE_LIMIT_PATIENCE;
	const decide = (what: string) => (seconds: number, _request: unknown, _github: unknown, waits: number) => {
		if (waits >= RATE_LIMIT_WAITS || seconds > patience) return false;
		patience -= Math.max(1, seconds);
		warn(`${what} of GitHub is used up: waiting ${seconds} s.`);
		return true;
	};
	return { onRateLimit: decide('The rate limit'), onSecondaryRateLimit: decide('The secondary rate limit') };
}

// The plugin pauses 1 to 3 s between writes, as GitHub asks. A run writes about ten times, minutes
// apart, and has seconds for the last writes when cancelled.
const UNPACED = {
	key: () => ({ schedule: (_options: unknown, write: () => Promise<void>) => write() }),
} as unknown as NonNullable<Limits['write']>;
const WITHOUT_PAUSES = { write: UNPACED, notifications: UNPACED };

function limitReached(cause: unknown): UserError {
	return new UserError({
		code: 'github-rate-limit',
		message: `GitHub's rate limit for this token is used up, and benchgate waits ${RATE_LIMIT_PATIENCE} s for it at most.`,
		where: 'github-token',
		remedy: "Run the job again later. Every repository's workflows share one limit; a token of your own has its own.",
		cause,
	});
}

interface RepeatableRequest {
	readonly method: string;
	readonly url: string;
	readonly [parameter: string]: unknown;
}

/**
 * Whether a retry is harmless. GitHub may have executed a POST whose answer was lost, and a PATCH adds its annotations
 * to existing ones: both are retried only if never sent.
 */
function mayRepeat(request: RepeatableRequest, error: unknown): boolean {
	if (request.method === 'POST' || (request.method === 'PATCH' && hasAnnotations(request.output))) {
		return neverSent(error);
	}
	return true;
}

function isRateLimit(error: unknown): boolean {
	const { status, message, response } = (error ?? {}) as {
		status?: number;
		message?: string;
		response?: { headers?: Record<string, unknown> };
	};
	if (status !== 403 && status !== 429) return false;
	return (
		status === 429 || response?.headers?.['x-ratelimit-remaining'] === '0' || /\brate limit\b/i.test(message ?? '')
	);
}

function hasAnnotations(output: unknown): boolean {
	return typeof output === 'object' && output !== null && 'annotations' in output;
}

function neverSent(error: unknown): boolean {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if ('code' in cause && NEVER_SENT.includes(String(cause.code))) return true;
	}
	return false;
}

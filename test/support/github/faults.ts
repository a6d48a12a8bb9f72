import type { Fault } from './types.ts';

type Options = Partial<Pick<Fault, 'times' | 'applied'>>;

/** Returns a fault: 502. */
export function badGateway(match: RegExp, options: Options = {}): Fault {
	return { match, status: 502, times: 1, ...options };
}

/** Returns a fault: connection closed without an answer. */
export function droppedConnection(match: RegExp, options: Options = {}): Fault {
	return { match, status: 0, times: 1, ...options };
}

/** Returns a fault: too many requests in a short time, with a delay of `seconds` or, for null, without one. */
export function secondaryLimit(match: RegExp, seconds: number | null, options: Options = {}): Fault {
	return {
		match,
		status: 403,
		headers: seconds === null ? {} : { 'retry-after': String(seconds) },
		body: {
			message: 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
			documentation_url: 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api',
		},
		times: 1,
		...options,
	};
}

/** Returns a fault: hourly limit exhausted until `seconds` later. */
export function primaryLimit(
	match: RegExp,
	seconds: number,
	options: Options & { readonly status?: 403 | 429 } = {},
): Fault {
	return {
		match,
		status: 403,
		headers: {
			'x-ratelimit-limit': '1000',
			'x-ratelimit-remaining': '0',
			get 'x-ratelimit-reset'() {
				return String(Math.floor(Date.now() / 1000) + seconds);
			},
		},
		body: {
			message: 'API rate limit exceeded for installation ID 1.',
			documentation_url: 'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api',
		},
		times: 1,
		...options,
	};
}

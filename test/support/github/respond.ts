import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, notFound, refuse } from './answer.ts';
import { checkBody, checkHeaders, checkValues } from './description/check-request.ts';
import type { findOperation } from './description/description.ts';
import { isPermitted, ROUTES } from './routes.ts';
import type { DoubleState } from './types.ts';

/** As received. */
export interface RawRequest {
	readonly method: string;
	readonly url: URL;
	readonly headers: IncomingHttpHeaders;
	/** Empty without a body. */
	readonly text: string;
	readonly token: string | null;
	readonly storageUrl: string;
}

/**
 * Returns GitHub's answer and updates the state. Refusals are checked in GitHub's order: authentication, permission,
 * validity.
 */
export function respond(raw: RawRequest, found: ReturnType<typeof findOperation>, state: DoubleState): Answer {
	const refusal = checkHeaders(raw.headers) ?? checkToken(raw, state) ?? useUpLimit(found?.operation.id, state);
	if (refusal) return refusal;
	if (!found) return { ...refuse(404, 'Not Found'), invalid: true };
	const { operation, values: path } = found;
	const route = ROUTES[operation.id];
	if (!route) throw new Error(`the double has no handler for ${operation.id}`);
	if ('repo' in path && `${path.owner}/${path.repo}`.toLowerCase() !== state.repository.toLowerCase()) {
		return notFound({ operation });
	}
	if (!isPermitted(route, state)) return refuse(403, 'Resource not accessible by integration', operation.docs);
	const checked = checkValues(operation, path, raw.url.searchParams);
	if ('refusal' in checked) return checked.refusal;
	const requestBody = checkBody(operation, raw.text);
	if ('refusal' in requestBody) return requestBody.refusal;
	const { url, storageUrl } = raw;
	return route.handler({ operation, values: checked.values, body: requestBody.body, url, storageUrl }, state);
}

function checkToken({ method, token }: RawRequest, state: DoubleState): Answer | null {
	if (token === null) return method === 'GET' ? null : refuse(401, 'Requires authentication');
	return state.tokens === null || state.tokens.includes(token) ? null : refuse(401, 'Bad credentials');
}

/** Requests for the limit are free. */
function useUpLimit(operationId: string | undefined, { rateLimit }: DoubleState): Answer | null {
	if (operationId === 'rate-limit/get') return null;
	const now = Date.now() / 1000;
	if (rateLimit.reset <= now) Object.assign(rateLimit, { remaining: rateLimit.limit, reset: Math.floor(now) + 3600 });
	if (rateLimit.remaining <= 0) return refuse(403, 'API rate limit exceeded for installation ID 1.');
	rateLimit.remaining--;
	return null;
}

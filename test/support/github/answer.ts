import type { Operation } from './description/description.ts';
import type { DoubleState } from './types.ts';

/** A valid request. */
export interface ApiRequest {
	readonly operation: Operation;
	/** Typed values of path and query. */
	readonly values: Readonly<Record<string, unknown>>;
	/** Parsed JSON. */
	readonly body: Readonly<Record<string, unknown>>;
	readonly url: URL;
	/** Address of redirected downloads. */
	readonly storageUrl: string;
}

export interface Answer {
	readonly status: number;
	/** Partial; other required properties are filled in. Undefined without a body. */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** The client's code is wrong. */
	readonly invalid?: boolean;
}

export type Handler = (request: ApiRequest, state: DoubleState) => Answer;

export const DOCS = 'https://docs.github.com/rest';

/** Returns a refusal in GitHub's format. */
export function refuse(status: number, message: string, docs: string = DOCS): Answer {
	return { status, body: { message, documentation_url: docs, status: String(status) } };
}

export const notFound = (request: Pick<ApiRequest, 'operation'>): Answer =>
	refuse(404, 'Not Found', request.operation.docs);

/** Returns a 422 for a violation of the description: `For 'properties/name', 1 is not a string.` */
export function invalidRequest(problems: readonly string[], docs: string): Answer {
	return { ...refuse(422, `Invalid request.\n\n${problems.join('\n')}`, docs), invalid: true };
}

export interface FieldError {
	readonly resource: string;
	readonly code: string;
	readonly field: string;
	readonly message?: string;
}

/** Returns a 422 for unacceptable values. */
export function validationFailed(request: Pick<ApiRequest, 'operation'>, errors: readonly FieldError[]): Answer {
	const body = { message: 'Validation Failed', errors, documentation_url: request.operation.docs, status: '422' };
	return { status: 422, body, invalid: true };
}

/** Returns one page of `items` with GitHub's `link` header: 30 by default, 100 at most. */
export function page<T>(
	request: ApiRequest,
	items: readonly T[],
	wrap: (part: readonly T[]) => unknown = (part) => part,
): Answer {
	const perPage = Math.min(100, Math.max(1, Number(request.values.per_page ?? 30)));
	const current = Math.max(1, Number(request.values.page ?? 1));
	const last = Math.max(1, Math.ceil(items.length / perPage));
	const body = wrap(items.slice((current - 1) * perPage, current * perPage));
	const link = pageLinks(request.url, current, last);
	return { status: 200, body, headers: link === '' ? {} : { link } };
}

function pageLinks(url: URL, current: number, last: number): string {
	const linkTo = (number: number, relation: string) => {
		const target = new URL(url);
		target.searchParams.set('page', String(number));
		return `<${target}>; rel="${relation}"`;
	};
	const back = current > 1 ? [linkTo(Math.min(current - 1, last), 'prev'), linkTo(1, 'first')] : [];
	const onward = current < last ? [linkTo(current + 1, 'next'), linkTo(last, 'last')] : [];
	return [...back, ...onward].join(', ');
}

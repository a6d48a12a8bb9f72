import { ANNOTATION, HEAD } from './examples.ts';

/** A request GitHub rejects, and its answer. */
export interface RejectedRequest {
	readonly name: string;
	/** `METHOD /path?query`. */
	readonly route: string;
	/** JSON, or verbatim text. */
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
	readonly status: number;
	readonly says: RegExp;
}

export const COMMENTS = '/repos/o/r/issues/1/comments';
export const CHECKS = '/repos/o/r/check-runs';
const output = (fields: object) => ({ name: 'n', head_sha: HEAD, output: { title: 't', summary: 's', ...fields } });
export const REJECTED_REQUESTS: readonly RejectedRequest[] = [
	{ name: 'unknown path', route: 'GET /repos/o/r/nonsense', status: 404, says: /^Not Found$/ },
	{ name: 'wrong method', route: `PUT ${COMMENTS}`, body: {}, status: 404, says: /^Not Found$/ },
	{ name: 'unknown query', route: `GET ${COMMENTS}?sort=asc`, status: 422, says: /"sort" is not a permitted key/ },
	{ name: 'repeated query', route: `GET ${COMMENTS}?page=1&page=2`, status: 422, says: /twice/ },
	{ name: 'query of a wrong type', route: `GET ${COMMENTS}?page=x`, status: 422, says: /is not an integer/ },
	{
		name: 'query that is no member',
		route: 'GET /repos/o/r/pulls?state=gone',
		status: 422,
		says: /"gone" is not a member of \["open"/,
	},
	{ name: 'path of a wrong type', route: 'GET /repos/o/r/issues/one/comments', status: 422, says: /is not an integer/ },
	{
		name: 'unknown property',
		route: `POST ${COMMENTS}`,
		body: { body: 'x', markdown: true },
		status: 422,
		says: /"markdown" is not a permitted key/,
	},
	{
		name: 'missing property',
		route: `POST ${COMMENTS}`,
		body: {},
		status: 422,
		says: /^Invalid request.\n\n"body" wasn't supplied.$/,
	},
	{
		name: 'property of a wrong type',
		route: `POST ${COMMENTS}`,
		body: { body: 1 },
		status: 422,
		says: /For 'properties\/body', 1 is not a string/,
	},
	{ name: 'no JSON', route: `POST ${COMMENTS}`, body: '{body', status: 400, says: /Problems parsing JSON/ },
	{ name: 'no body', route: `POST ${COMMENTS}`, status: 422, says: /body is required/ },
	{
		name: 'an empty comment',
		route: `POST ${COMMENTS}`,
		body: { body: ' \n' },
		status: 422,
		says: /^Validation Failed$/,
	},
	{
		name: '65,537 characters',
		route: `POST ${COMMENTS}`,
		body: { body: 'é'.repeat(65_537) },
		status: 422,
		says: /^Validation Failed$/,
	},
	{
		name: '51 annotations',
		route: `POST ${CHECKS}`,
		body: output({ annotations: Array(51).fill(ANNOTATION) }),
		status: 422,
		says: /No more than 50 items are allowed; 51 were supplied/,
	},
	{
		name: 'unknown annotation level',
		route: `POST ${CHECKS}`,
		body: output({ annotations: [{ ...ANNOTATION, annotation_level: 'error' }] }),
		status: 422,
		says: /"error" is not a member/,
	},
	{
		name: 'unknown property of an annotation',
		route: `POST ${CHECKS}`,
		body: output({ annotations: [{ ...ANNOTATION, line: 1 }] }),
		status: 422,
		says: /"line" is not a permitted key/,
	},
	{
		name: 'a long summary',
		route: `POST ${CHECKS}`,
		body: output({ summary: 'x'.repeat(65_536) }),
		status: 422,
		says: /Only 65535 characters are allowed; 65536 were supplied/,
	},
	{
		name: 'a summary of many bytes',
		route: `POST ${CHECKS}`,
		body: output({ summary: 'é'.repeat(40_000) }),
		status: 422,
		says: /^Validation Failed$/,
	},
	{
		name: 'a check of no commit',
		route: `POST ${CHECKS}`,
		body: { name: 'n', head_sha: 'main' },
		status: 422,
		says: /No commit found for SHA: main/,
	},
	{
		name: 'a version of the future',
		route: `GET ${COMMENTS}`,
		headers: { 'x-github-api-version': '2099-01-01' },
		status: 400,
		says: /2099-01-01 is not supported/,
	},
	{
		name: 'a wrong media type',
		route: `GET ${COMMENTS}`,
		headers: { accept: 'text/html' },
		status: 415,
		says: /Must accept/,
	},
];

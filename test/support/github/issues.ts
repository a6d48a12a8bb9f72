import {
	type Answer,
	type ApiRequest,
	type FieldError,
	type Handler,
	page,
	refuse,
	validationFailed,
} from './answer.ts';
import * as pulls from './pulls.ts';
import { appOf, HTML, LONG_AGO, now, userOf } from './serialise.ts';
import { accountOf } from './state.ts';
import type { DoubleState, StoredIssue } from './types.ts';

const BODY_LIMIT = 65_536;
const TITLE_LIMIT = 256;

export const getIssue: Handler = (request, state) => {
	const issue = findThread(request, state);
	return issue ? { status: 200, body: issueOf(issue, request, state) } : pulls.getIssue(request, state);
};

/** Newest first by default. Includes pull requests, and only issues with text. */
export const listIssues: Handler = (request, state) => {
	const { state: wanted = 'open', creator, direction = 'desc' } = request.values;
	const ofPulls = state.pulls.map(
		({ number, title = `Pull request ${number}`, body, author, state: open = 'open', createdAt }): StoredIssue => ({
			...{ number, title, body: body ?? '', user: accountOf(author), state: open, pull: true },
			...(createdAt && { createdAt }),
		}),
	);
	const chosen = [...state.threads, ...ofPulls]
		.filter((issue) => wanted === 'all' || (issue.state ?? 'open') === wanted)
		.filter((issue) => creator === undefined || issue.user.login === creator)
		.sort((a, b) => (direction === 'asc' ? a.number - b.number : b.number - a.number));
	return page(request, chosen, (part) => part.map((issue) => issueOf(issue, request, state)));
};

export const createIssue: Handler = (request, state) => {
	if (state.withoutIssues) return refuse(410, 'Issues has been disabled in this repository.', request.operation.docs);
	const errors = problemsOf(request);
	if (errors.length > 0) return validationFailed(request, errors);
	const taken = [...state.threads, ...state.pulls].map(({ number }) => number);
	const issue: StoredIssue = {
		number: Math.max(0, ...taken, ...state.issues) + 1,
		title: String(request.body.title),
		body: String(request.body.body ?? ''),
		user: { ...state.user },
		createdAt: now(),
	};
	state.threads.push(issue);
	return { status: 201, body: issueOf(issue, request, state) };
};

export const updateIssue: Handler = (request, state) => {
	const issue = findThread(request, state);
	if (!issue) return refuse(404, 'Not Found', request.operation.docs);
	const errors = problemsOf(request);
	if (errors.length > 0) return validationFailed(request, errors);
	const { title, body, state: open, state_reason: reason } = request.body;
	if (title !== undefined) issue.title = String(title);
	if (body !== undefined) issue.body = String(body);
	if (open === 'closed') Object.assign(issue, { state: 'closed', reason: reason ?? 'completed', closedBy: state.user });
	if (open === 'open') Object.assign(issue, { state: 'open', reason: 'reopened', closedBy: null });
	return { status: 200, body: issueOf(issue, request, state) };
};

function problemsOf({ body: { title, body } }: ApiRequest): FieldError[] {
	const resource = 'Issue';
	const tooLong = (field: string, limit: number): FieldError => {
		return { resource, code: 'custom', field, message: `${field} is too long (maximum is ${limit} characters)` };
	};
	return [
		...(title !== undefined && String(title).trim() === ''
			? [{ resource, code: 'missing_field', field: 'title' }]
			: []),
		...([...String(title ?? '')].length > TITLE_LIMIT ? [tooLong('title', TITLE_LIMIT)] : []),
		...([...String(body ?? '')].length > BODY_LIMIT ? [tooLong('body', BODY_LIMIT)] : []),
	];
}

function findThread(request: ApiRequest, state: DoubleState): StoredIssue | undefined {
	return state.threads.find(({ number }) => number === Number(request.values.issue_number));
}

function issueOf(issue: StoredIssue, request: ApiRequest, state: DoubleState): NonNullable<Answer['body']> {
	const { number, title, body, user, state: open = 'open', reason = null, closedBy = null, pull = false } = issue;
	const app = issue.app === undefined && user.type === 'Bot' ? user.login.replace('[bot]', '') : issue.app;
	const html = `${HTML}/${state.repository}/${pull ? 'pull' : 'issues'}/${number}`;
	const url = `${request.url.origin}/repos/${state.repository}`;
	const ofPull = {
		url: `${url}/pulls/${number}`,
		html_url: html,
		diff_url: `${html}.diff`,
		patch_url: `${html}.patch`,
	};
	return {
		id: 20_000 + number,
		number,
		title,
		body,
		user: userOf(user),
		state: open,
		state_reason: reason,
		closed_at: open === 'closed' ? LONG_AGO : null,
		closed_by: closedBy === null ? null : userOf(closedBy),
		labels: [],
		html_url: html,
		url: `${url}/issues/${number}`,
		created_at: issue.createdAt ?? LONG_AGO,
		author_association: user.type === 'Bot' ? 'CONTRIBUTOR' : 'NONE',
		performed_via_github_app: app ? appOf(app) : null,
		...(pull && { pull_request: ofPull }),
	};
}

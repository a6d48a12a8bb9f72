import {
	type Answer,
	type ApiRequest,
	type FieldError,
	type Handler,
	notFound,
	page,
	validationFailed,
} from './answer.ts';
import { appOf, HTML, LONG_AGO, now, userOf } from './serialise.ts';
import { nextId } from './state.ts';
import type { DoubleState, StoredComment } from './types.ts';

/** Characters, not bytes. */
const BODY_LIMIT = 65_536;

export const listComments: Handler = (request, state) => {
	const issue = Number(request.values.issue_number);
	if (!hasIssue(issue, state)) return notFound(request);
	const since = String(request.values.since ?? '');
	const comments = state.comments.filter((comment) => comment.issue === issue && updatedAt(comment) >= since);
	return page(request, comments, (part) => part.map((comment) => commentOf(comment, request, state)));
};

export const getComment: Handler = (request, state) =>
	withComment(request, state, (comment) => ({ status: 200, body: commentOf(comment, request, state) }));

export const createComment: Handler = (request, state) => {
	const issue = Number(request.values.issue_number);
	if (!hasIssue(issue, state)) return notFound(request);
	const errors = bodyErrors(String(request.body.body));
	if (errors.length > 0) return validationFailed(request, errors);
	const moment = now();
	const comment: StoredComment = {
		id: nextId(state.comments),
		issue,
		body: String(request.body.body),
		user: { ...state.user },
		createdAt: moment,
		updatedAt: moment,
	};
	state.comments.push(comment);
	const body = commentOf(comment, request, state);
	return { status: 201, body, headers: { location: String(body.url) } };
};

export const updateComment: Handler = (request, state) =>
	withComment(request, state, (comment) => {
		const errors = bodyErrors(String(request.body.body));
		if (errors.length > 0) return validationFailed(request, errors);
		comment.body = String(request.body.body);
		comment.updatedAt = now();
		return { status: 200, body: commentOf(comment, request, state) };
	});

export const deleteComment: Handler = (request, state) =>
	withComment(request, state, (comment) => {
		state.comments.splice(state.comments.indexOf(comment), 1);
		return { status: 204 };
	});

/** Repeated reactions count once. */
export const reactToComment: Handler = (request, state) =>
	withComment(request, state, (comment) => {
		const content = String(request.body.content);
		const known = state.reactions.find(
			(reaction) =>
				reaction.commentId === comment.id && reaction.content === content && reaction.user.login === state.user.login,
		);
		const reaction = known ?? {
			id: nextId(state.reactions),
			commentId: comment.id,
			content,
			user: { ...state.user },
		};
		if (!known) state.reactions.push(reaction);
		const body = { id: reaction.id, content, user: userOf(reaction.user), created_at: now() };
		return { status: known ? 200 : 201, body };
	});

function withComment(request: ApiRequest, state: DoubleState, act: (comment: StoredComment) => Answer): Answer {
	const comment = state.comments.find(({ id }) => id === request.values.comment_id);
	return comment ? act(comment) : notFound(request);
}

function hasIssue(issue: number, state: DoubleState): boolean {
	const threads = state.threads.map(({ number }) => number);
	return [...state.issues, ...threads].includes(issue) || state.pulls.some(({ number }) => number === issue);
}

function bodyErrors(body: string): FieldError[] {
	const resource = 'IssueComment';
	if (body.trim() === '') return [{ resource, code: 'missing_field', field: 'body' }];
	if ([...body].length <= BODY_LIMIT) return [];
	const message = `Body is too long (maximum is ${BODY_LIMIT} characters)`;
	return [{ resource, code: 'unprocessable', field: 'data', message }];
}

function updatedAt(comment: StoredComment): string {
	return comment.updatedAt ?? comment.createdAt ?? LONG_AGO;
}

function commentOf(comment: StoredComment, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	const isPull = state.pulls.some(({ number }) => number === comment.issue);
	const isBot = comment.user.type === 'Bot';
	const app = comment.app === undefined && isBot ? comment.user.login.replace('[bot]', '') : comment.app;
	const api = `${request.url.origin}/repos/${state.repository}/issues`;
	const thread = `${HTML}/${state.repository}/${isPull ? 'pull' : 'issues'}/${comment.issue}`;
	return {
		id: comment.id,
		url: `${api}/comments/${comment.id}`,
		html_url: `${thread}#issuecomment-${comment.id}`,
		issue_url: `${api}/${comment.issue}`,
		body: comment.body,
		user: userOf(comment.user),
		created_at: comment.createdAt ?? LONG_AGO,
		updated_at: updatedAt(comment),
		author_association: comment.authorAssociation ?? (isBot ? 'CONTRIBUTOR' : 'NONE'),
		performed_via_github_app: app ? appOf(app) : null,
	};
}

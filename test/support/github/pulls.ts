import { type ApiRequest, type Handler, notFound, page } from './answer.ts';
import { appOf, HTML, labelsOf, now, pullOf, userOf } from './serialise.ts';
import { accountOf } from './state.ts';
import type { DoubleState, LabelEvent, OtherEvent, StoredPull } from './types.ts';

export const getPull: Handler = (request, state) => {
	const pull = findPull(request.values.pull_number, state);
	return pull ? { status: 200, body: pullOf(pull, request, state) } : notFound(request);
};

/** Newest first. A `head` other than `owner:branch` is ignored, as on GitHub. */
export const listPulls: Handler = (request, state) => {
	const { state: wanted = 'open', head, base, direction = 'desc' } = request.values;
	const [owner, branch] = String(head ?? '').split(/:(.*)/s);
	const chosen = state.pulls
		.filter((pull) => wanted === 'all' || (pull.state ?? 'open') === wanted)
		.filter((pull) => base === undefined || pull.baseRef === base)
		.filter((pull) => !branch || (pull.headRef === branch && pull.headRepository?.split('/')[0] === owner))
		.sort((a, b) => (direction === 'asc' ? a.number - b.number : b.number - a.number));
	return page(request, chosen, (part) => part.map((pull) => pullOf(pull, request, state)));
};

export const listPullsOfCommit: Handler = (request, state) => {
	const chosen = state.pulls.filter((pull) => pull.headSha === request.values.commit_sha);
	return page(request, chosen, (part) => part.map((pull) => pullOf(pull, request, state)));
};

export const listPullFiles: Handler = (request, state) => {
	const pull = findPull(request.values.pull_number, state);
	if (!pull) return notFound(request);
	const { files = [], patches = {} } = pull;
	return page(request, files, (part) =>
		part.map((filename) => ({
			filename,
			status: 'modified',
			...(patches[filename] !== undefined && { patch: patches[filename] }),
		})),
	);
};

export const getIssue: Handler = (request, state) => {
	const number = Number(request.values.issue_number);
	const pull = findPull(number, state);
	if (!pull && !state.issues.includes(number)) return notFound(request);
	const html = `${HTML}/${state.repository}/${pull ? 'pull' : 'issues'}/${number}`;
	const url = `${request.url.origin}/repos/${state.repository}/pulls/${number}`;
	const body = {
		id: 10_000 + number,
		number,
		title: pull?.title ?? `Issue ${number}`,
		body: pull?.body ?? null,
		state: pull?.state ?? 'open',
		user: userOf(accountOf(pull?.author ?? 'reporter')),
		labels: labelsOf(pull),
		html_url: html,
		author_association: 'NONE',
		...(pull && { pull_request: { url, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch` } }),
	};
	return { status: 200, body };
};

export const listLabels: Handler = (request, state) => {
	const number = Number(request.values.issue_number);
	const pull = findPull(number, state);
	if (!pull && !state.issues.includes(number)) return notFound(request);
	return page(request, labelsOf(pull));
};

/** Serves events and timeline, which are equal here. */
export const listEvents: Handler = (request, state) => {
	const number = Number(request.values.issue_number);
	const labels = state.labelsEvents.map((event, index) => ({
		issue: event.issue,
		body: labelEventOf(event, index + 1, request, state),
	}));
	const others = state.otherEvents.map((event, index) => {
		return { issue: event.issue, body: otherEventOf(event, state.labelsEvents.length + index + 1, request, state) };
	});
	const events = [...labels, ...others].filter(({ issue }) => issue === number);
	return page(request, events, (part) => part.map(({ body }) => body));
};

function labelEventOf(event: LabelEvent, id: number, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	return {
		...commonOf(id, request, state),
		event: event.event ?? 'labeled',
		actor: userOf(accountOf(event.actor ?? 'ghost')),
		created_at: event.createdAt ?? now(),
		label: { name: event.label, color: 'ededed' },
		performed_via_github_app: event.app === undefined ? null : appOf(event.app),
	};
}

function otherEventOf(event: OtherEvent, id: number, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	const common = { ...commonOf(id, request, state), performed_via_github_app: null };
	return { ...common, event: event.event, actor: userOf(accountOf('contributor')), created_at: event.createdAt };
}

function commonOf(id: number, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	const url = `${request.url.origin}/repos/${state.repository}/issues/events/${id}`;
	return { id, url, commit_id: null, commit_url: null };
}

function findPull(number: unknown, state: DoubleState): StoredPull | undefined {
	return state.pulls.find((pull) => pull.number === number);
}

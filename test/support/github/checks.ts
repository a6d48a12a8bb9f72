import {
	type Answer,
	type ApiRequest,
	type FieldError,
	type Handler,
	invalidRequest,
	notFound,
	page,
	refuse,
	validationFailed,
} from './answer.ts';
import { appOf, HTML, isCommit, now, resolveRef } from './serialise.ts';
import { nextId } from './state.ts';
import type { DoubleState, StoredCheckRun } from './types.ts';

/** GitHub's description says characters; it counts bytes. */
const TEXT_LIMIT_BYTES = 65_535;

interface CheckBody {
	readonly name?: string;
	readonly head_sha?: string;
	readonly status?: string;
	readonly conclusion?: string;
	readonly external_id?: string;
	readonly details_url?: string;
	readonly started_at?: string;
	readonly completed_at?: string;
	readonly output?: {
		readonly title?: string;
		readonly summary?: string;
		readonly text?: string;
		readonly annotations?: Record<string, unknown>[];
	};
}

export const createCheck: Handler = (request, state) => {
	const body = request.body as CheckBody;
	const sha = String(body.head_sha);
	if (state.user.type !== 'Bot') return onlyForApps(request);
	if (!isCommit(sha, state)) return { ...noCommit(request, sha), invalid: true };
	const refusal = refuseBody(request);
	if (refusal) return refusal;
	const check: StoredCheckRun = {
		id: nextId(state.checkRuns),
		name: String(body.name),
		headSha: sha,
		status: 'queued',
		conclusion: null,
		externalId: '',
		detailsUrl: null,
		startedAt: now(),
		completedAt: null,
		output: { title: null, summary: null, text: null },
		annotations: [],
	};
	apply(body, check);
	state.checkRuns.push(check);
	return { status: 201, body: checkOf(check, request, state) };
};

export const updateCheck: Handler = (request, state) => {
	if (state.user.type !== 'Bot') return onlyForApps(request);
	const check = findCheck(request, state);
	if (!check) return notFound(request);
	const refusal = refuseBody(request);
	if (refusal) return refusal;
	apply(request.body as CheckBody, check);
	return { status: 200, body: checkOf(check, request, state) };
};

export const getCheck: Handler = (request, state) => {
	const check = findCheck(request, state);
	return check ? { status: 200, body: checkOf(check, request, state) } : notFound(request);
};

/** Newest first. The default `latest` is the newest of each name. */
export const listChecks: Handler = (request, state) => {
	const { ref, check_name: name, status, filter = 'latest' } = request.values;
	const sha = resolveRef(String(ref), state);
	if (sha === null) return noCommit(request, String(ref));
	const all = state.checkRuns.filter((check) => check.headSha === sha).sort((a, b) => b.id - a.id);
	const chosen = all
		.filter((check, index) => filter === 'all' || all.findIndex((other) => other.name === check.name) === index)
		.filter((check) => name === undefined || check.name === name)
		.filter((check) => status === undefined || check.status === status);
	return page(request, chosen, (part) => ({
		total_count: chosen.length,
		check_runs: part.map((check) => checkOf(check, request, state)),
	}));
};

export const listAnnotations: Handler = (request, state) => {
	const check = findCheck(request, state);
	if (!check) return notFound(request);
	const blank = { start_column: null, end_column: null, title: null, raw_details: null, blob_href: HTML };
	return page(request, check.annotations, (part) => part.map((annotation) => ({ ...blank, ...annotation })));
};

const onlyForApps = (request: ApiRequest) =>
	refuse(403, 'You must authenticate via a GitHub App.', request.operation.docs);

const noCommit = (request: ApiRequest, sha: string) =>
	refuse(422, `No commit found for SHA: ${sha}`, request.operation.docs);

function findCheck(request: ApiRequest, state: DoubleState): StoredCheckRun | undefined {
	return state.checkRuns.find(({ id }) => id === request.values.check_run_id);
}

/** Rules missing in GitHub's description. */
function refuseBody(request: ApiRequest): Answer | null {
	const { status, conclusion, completed_at: completedAt, output } = request.body as CheckBody;
	if (conclusion === undefined && (status === 'completed' || completedAt !== undefined)) {
		return invalidRequest([`"conclusion" wasn't supplied.`], request.operation.docs);
	}
	const errors: FieldError[] = (['summary', 'text'] as const)
		.filter((field) => Buffer.byteLength(output?.[field] ?? '') > TEXT_LIMIT_BYTES)
		.map((field) => {
			const message = `${field} exceeds a maximum bytesize of ${TEXT_LIMIT_BYTES}`;
			return { resource: 'CheckRun', code: 'custom', field, message };
		});
	return errors.length > 0 ? validationFailed(request, errors) : null;
}

/** A conclusion completes the check; annotations are appended. */
function apply(body: CheckBody, check: StoredCheckRun): void {
	check.name = body.name ?? check.name;
	check.status = body.conclusion === undefined ? (body.status ?? check.status) : 'completed';
	const isDone = check.status === 'completed';
	check.conclusion = isDone ? (body.conclusion ?? check.conclusion) : null;
	check.completedAt = isDone ? (body.completed_at ?? check.completedAt ?? now()) : null;
	check.startedAt = body.started_at ?? check.startedAt;
	check.externalId = body.external_id ?? check.externalId;
	check.detailsUrl = body.details_url ?? check.detailsUrl;
	if (!body.output) return;
	const { title = check.output.title, summary = check.output.summary, text = check.output.text } = body.output;
	check.output = { title, summary, text };
	check.annotations.push(...(body.output.annotations ?? []));
}

function checkOf(check: StoredCheckRun, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	const url = `${request.url.origin}/repos/${state.repository}/check-runs/${check.id}`;
	return {
		id: check.id,
		name: check.name,
		head_sha: check.headSha,
		status: check.status,
		conclusion: check.conclusion,
		external_id: check.externalId,
		url,
		html_url: `${HTML}/${state.repository}/runs/${check.id}`,
		details_url: check.detailsUrl,
		started_at: check.startedAt,
		completed_at: check.completedAt,
		output: {
			...check.output,
			annotations_count: check.annotations.length,
			annotations_url: `${url}/annotations`,
		},
		check_suite: { id: 1 },
		app: appOf('github-actions'),
		pull_requests: [],
	};
}

import { type ApiRequest, type Handler, notFound, page, refuse } from './answer.ts';
import { HTML, LONG_AGO, now, repositoryOf, userOf } from './serialise.ts';
import { accountOf } from './state.ts';
import type { DoubleState, StoredArtifact, StoredRun } from './types.ts';

export const getRun: Handler = (request, state) => {
	const run = findRun(request, state);
	return run ? { status: 200, body: runOf(run, request, state) } : notFound(request);
};

/** Newest first. Workflows are those of runs and of `state.workflows`. */
export const listRuns: Handler = (request, state) => {
	const { workflow_id: file, event, head_sha: headSha, status } = request.values;
	const workflowFiles = [...state.workflows, ...state.runs.map(fileOf)];
	if (!workflowFiles.includes(String(file))) return notFound(request);
	const chosen = state.runs
		.filter((run) => fileOf(run) === file)
		.filter((run) => event === undefined || run.event === event)
		.filter((run) => headSha === undefined || run.headSha === headSha)
		.filter((run) => status === undefined || [run.status ?? 'completed', run.conclusion].includes(String(status)))
		.sort((a, b) => b.id - a.id);
	return page(request, chosen, (part) => ({
		total_count: chosen.length,
		workflow_runs: part.map((run) => runOf(run, request, state)),
	}));
};

/** Of every workflow, newest first. */
export const listRepositoryRuns: Handler = (request, state) => {
	const { head_sha: sha, event, branch, status } = request.values;
	const chosen = state.runs
		.filter((run) => sha === undefined || run.headSha === sha)
		.filter((run) => event === undefined || run.event === event)
		.filter((run) => branch === undefined || run.headBranch === branch)
		.filter((run) => status === undefined || (run.status ?? 'completed') === status)
		.sort((a, b) => b.id - a.id);
	return page(request, chosen, (part) => ({
		total_count: chosen.length,
		workflow_runs: part.map((run) => runOf(run, request, state)),
	}));
};

/** Restarts the run under its id, as the next attempt. */
export const rerun: Handler = (request, state) => {
	const run = findRun(request, state);
	if (!run) return notFound(request);
	if ((run.status ?? 'completed') !== 'completed') {
		return refuse(403, 'This workflow is already running', request.operation.docs);
	}
	Object.assign(run, { status: 'queued', conclusion: null, attempt: (run.attempt ?? 1) + 1 });
	return { status: 201, body: {} };
};

function fileOf({ file = 'bench.yml' }: StoredRun): string {
	return file;
}

function runOf(run: StoredRun, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	return {
		id: run.id,
		name: run.workflow ?? 'bench',
		path: `.github/workflows/${fileOf(run)}`,
		head_sha: run.headSha,
		head_branch: run.headBranch,
		...(run.tree !== undefined && { head_commit: commitOf(run.headSha, run.tree) }),
		head_repository: repositoryOf(run.headRepository, state),
		repository: repositoryOf(state.repository, state),
		event: run.event,
		status: run.status ?? 'completed',
		conclusion: run.conclusion ?? null,
		run_attempt: run.attempt ?? 1,
		run_number: 1,
		html_url: `${HTML}/${state.repository}/actions/runs/${run.id}`,
		pull_requests: (run.pullRequests ?? []).map((number) => pullOfRun(number, run, request, state)),
		created_at: run.createdAt ?? LONG_AGO,
		run_started_at: run.createdAt ?? LONG_AGO,
		updated_at: run.createdAt ?? LONG_AGO,
		actor: userOf(accountOf('contributor')),
	};
}

function commitOf(id: string, tree: string): Record<string, unknown> {
	const person = { name: 'Contributor', email: 'contributor@example.com' };
	return { id, tree_id: tree, message: 'Change', timestamp: LONG_AGO, author: person, committer: person };
}

function pullOfRun(number: number, run: StoredRun, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	const repo = { id: 1, name: state.repository.split('/')[1], url: `${request.url.origin}/repos/${state.repository}` };
	const url = `${repo.url}/pulls/${number}`;
	const [head, base] = [run.headSha, 'b'.repeat(40)].map((sha) => ({ ref: run.headBranch, sha, repo }));
	return { id: 10_000 + number, number, url, head, base };
}

export const listJobs: Handler = (request, state) => {
	const run = findRun(request, state);
	if (!run) return notFound(request);
	const jobs = run.jobs ?? [];
	return page(request, jobs, (part) => ({
		total_count: jobs.length,
		jobs: part.map((job) => ({
			...job,
			run_id: run.id,
			head_sha: run.headSha,
			status: job.status ?? 'completed',
			conclusion: job.conclusion ?? null,
		})),
	}));
};

/** Newest first. */
export const listArtifacts: Handler = (request, state) => {
	const { run_id: runId, name } = request.values;
	const chosen = state.artifacts
		.filter((artifact) => artifact.runId === runId && (name === undefined || artifact.name === name))
		.sort((a, b) => b.id - a.id);
	return page(request, chosen, (part) => ({
		total_count: chosen.length,
		artifacts: part.map((artifact) => artifactOf(artifact, request, state)),
	}));
};

export const getArtifact: Handler = (request, state) => {
	const artifact = findArtifact(request, state);
	return artifact ? { status: 200, body: artifactOf(artifact, request, state) } : notFound(request);
};

/** Redirects to the storage, whose URLs contain their own key and which refuses GitHub's tokens. */
export const downloadArtifact: Handler = (request, state) => {
	const artifact = findArtifact(request, state);
	if (!artifact || request.values.archive_format !== 'zip') return notFound(request);
	if (artifact.expired) return refuse(410, 'Artifact has expired', request.operation.docs);
	return { status: 302, headers: { location: `${request.storageUrl}/artifacts/${artifact.id}?sig=example` } };
};

function findRun(request: ApiRequest, state: DoubleState): StoredRun | undefined {
	return state.runs.find(({ id }) => id === request.values.run_id);
}

function findArtifact(request: ApiRequest, state: DoubleState): StoredArtifact | undefined {
	return state.artifacts.find(({ id }) => id === request.values.artifact_id);
}

function artifactOf(artifact: StoredArtifact, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	const url = `${request.url.origin}/repos/${state.repository}/actions/artifacts/${artifact.id}`;
	const run = state.runs.find(({ id }) => id === artifact.runId);
	return {
		id: artifact.id,
		name: artifact.name,
		size_in_bytes: artifact.sizeBytes ?? artifact.zip.length,
		url,
		archive_download_url: `${url}/zip`,
		expired: artifact.expired ?? false,
		created_at: artifact.createdAt ?? now(),
		expires_at: '2099-01-01T00:00:00Z',
		updated_at: artifact.createdAt ?? now(),
		workflow_run: { id: artifact.runId, ...(run && { head_sha: run.headSha, head_branch: run.headBranch }) },
	};
}

/** Event payloads of GitHub: recorded ones of @octokit/webhooks-examples with adapted commits and names. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

export type Payload = Readonly<Record<string, unknown>>;

const EXAMPLES = createRequire(import.meta.url)('@octokit/webhooks-examples') as readonly {
	readonly name: string;
	readonly examples: readonly Payload[];
}[];

export const REPOSITORY = 'o/tiny-framework';
export const FORK = 'stranger/tiny-framework';
/** Pull request of every event. */
export const NUMBER = 12;

const repository = {
	name: 'tiny-framework',
	full_name: REPOSITORY,
	owner: { login: 'o' },
	default_branch: 'main',
	private: false,
};

/** Returns a `pull_request` event for a head in `headRepository`, against the tip of main. */
export function pullRequestEvent(base: string, head: string, headRepository = REPOSITORY): Payload {
	const [owner = ''] = headRepository.split('/');
	const fork = headRepository !== REPOSITORY;
	return adapt(find('pull_request', 'synchronize'), {
		number: NUMBER,
		repository,
		sender: { login: owner },
		after: head,
		pull_request: {
			number: NUMBER,
			state: 'open',
			draft: false,
			merged: false,
			user: { login: owner },
			author_association: fork ? 'NONE' : 'MEMBER',
			base: { ref: 'main', sha: base, repo: repository },
			head: {
				ref: 'feature',
				sha: head,
				repo: { ...repository, full_name: headRepository, owner: { login: owner }, fork },
			},
		},
	});
}

export function pushEvent(before: string, after: string): Payload {
	return adapt(find('push', null), { ref: 'refs/heads/main', before, after, deleted: false, repository });
}

export function mergeGroupEvent(base: string, head: string): Payload {
	const group = { base_sha: base, head_sha: head, base_ref: 'refs/heads/main' };
	return adapt(find('merge_group', 'checks_requested'), { merge_group: group, repository });
}

export function manualEvent(inputs: Readonly<Record<string, string>> = {}): Payload {
	return adapt(find('workflow_dispatch', null), { ref: 'refs/heads/main', inputs, repository });
}

/** Not recorded: it has only the repository and the schedule's line. */
export function scheduleEvent(): Payload {
	const { repository: recorded } = find('push', null);
	return adapt({ repository: recorded, schedule: '23 4 * * 1' }, { repository });
}

/**
 * Returns a `workflow_run` event for `bench`, completed unless its conclusion is null. Runs of forks list no pull
 * requests, as on GitHub.
 */
export function workflowRunEvent(
	runId: number,
	head: string,
	headRepository: string,
	conclusion: string | null,
): Payload {
	const [owner = ''] = headRepository.split('/');
	return adapt(find('workflow_run', 'completed'), {
		action: conclusion === null ? 'requested' : 'completed',
		repository,
		workflow: { name: 'bench', path: '.github/workflows/bench.yml' },
		workflow_run: {
			id: runId,
			name: 'bench',
			path: '.github/workflows/bench.yml',
			event: 'pull_request',
			status: conclusion === null ? 'queued' : 'completed',
			conclusion,
			run_attempt: 1,
			head_branch: 'feature',
			head_sha: head,
			html_url: `https://github.com/${REPOSITORY}/actions/runs/${runId}`,
			repository,
			head_repository: { name: 'tiny-framework', full_name: headRepository, owner: { login: owner } },
			pull_requests: [],
		},
	});
}

/** Returns an `issue_comment` event on the pull request. */
export function commentEvent(login: string, association: string, body: string): Payload {
	const user = { login, type: 'User' };
	return adapt(find('issue_comment', 'created'), {
		repository,
		sender: user,
		issue: {
			number: NUMBER,
			state: 'open',
			user,
			pull_request: { url: `https://api.github.com/repos/${REPOSITORY}/pulls/${NUMBER}` },
		},
		comment: { id: COMMENT_ID, body, user, author_association: association },
	});
}

/** Of `commentEvent`. */
export const COMMENT_ID = 99;

function find(name: string, action: string | null): Payload {
	const { examples = [] } = EXAMPLES.find((entry) => entry.name === name) ?? {};
	const example = examples.find((payload) => action === null || payload.action === action);
	assert.ok(example, `no example of ${name} ${action}`);
	return example;
}

/** Merges `changes` into `payload` recursively. */
function adapt(payload: Payload, changes: Payload): Payload {
	const entries = Object.entries(changes).map(([key, value]) => {
		const mine = payload[key];
		return [key, isMapping(value) ? adapt(isMapping(mine) ? mine : {}, value) : value] as const;
	});
	return { ...payload, ...Object.fromEntries(entries) };
}

function isMapping(value: unknown): value is Payload {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

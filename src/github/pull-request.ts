import type { MeasuredRun, PullRequest, Repository } from '../types/action-run.ts';
import type { Warning } from '../types/units.ts';
import { type Attempt, statusOf, userErrorOf, warningOf } from './api-failure.ts';
import type { GitHub } from './github-client.ts';

const TITLE = 'Update the baselines of benchgate';

const BODY =
	'Measured on the default branch, one file for each run. None of it is code that runs; merge it when you like. Later runs add to it.';

export type FoundPullRequest =
	| { readonly pullRequest: PullRequest }
	/** `reason` is one sentence; `warning` is for a failed call. */
	| { readonly pullRequest: null; readonly reason: string; readonly warning: Warning | null };

/** Common to the API's list and single responses. */
interface ApiPullRequest {
	readonly number: number;
	readonly state: string;
	readonly head: {
		readonly sha: string;
		readonly repo: { readonly full_name: string } | null;
	};
	readonly base: { readonly sha: string };
}

/** Throws UserError (`missing-permission`, `github-unreachable`, ...) when the call fails. */
export async function getPullRequest(github: GitHub, repository: Repository, number: number): Promise<PullRequest> {
	try {
		const { data } = await github.rest.pulls.get({ ...repository, pull_number: number });
		return toPullRequest(data);
	} catch (error) {
		throw userErrorOf(error, attemptOf(`read pull request #${number}`));
	}
}

/**
 * Returns the only open pull request whose head is exactly the measured commit and repository, or why there is not
 * exactly one. Forks' events have no numbers, so those are found by branch.
 */
export async function findPullRequest(
	github: GitHub,
	repository: Repository,
	measured: MeasuredRun,
): Promise<FoundPullRequest> {
	try {
		const candidates =
			measured.pullRequests.length > 0
				? await getAll(github, repository, measured.pullRequests)
				: await listFromBranch(github, repository, measured);
		return choose(candidates, measured);
	} catch (error) {
		const warning = warningOf(error, attemptOf('find the pull request of the measured run'));
		return { pullRequest: null, reason: warning.message, warning };
	}
}

/** Returns true also for a deleted repository. */
export function isFromFork(
	{ headRepository }: Pick<PullRequest, 'headRepository'>,
	{ owner, repo }: Repository,
): boolean {
	return !isSameName(headRepository ?? undefined, `${owner}/${repo}`);
}

function attemptOf(what: string): Attempt {
	return { what, needs: { 'pull-requests': 'read' } };
}

async function getAll(
	github: GitHub,
	repository: Repository,
	numbers: readonly number[],
): Promise<readonly ApiPullRequest[]> {
	const pullRequests: ApiPullRequest[] = [];
	for (const number of numbers) {
		try {
			pullRequests.push((await github.rest.pulls.get({ ...repository, pull_number: number })).data);
		} catch (error) {
			if (statusOf(error) !== 404) throw error;
		}
	}
	return pullRequests;
}

async function listFromBranch(
	github: GitHub,
	repository: Repository,
	{ headRepository, headBranch }: MeasuredRun,
): Promise<readonly ApiPullRequest[]> {
	const [owner = ''] = headRepository.split('/');
	return github.paginate(github.rest.pulls.list, {
		...repository,
		state: 'open',
		head: `${owner}:${headBranch}`,
		per_page: 100,
	});
}

function choose(candidates: readonly ApiPullRequest[], measured: MeasuredRun): FoundPullRequest {
	const ours = candidates.filter(({ head }) => isSameName(head.repo?.full_name, measured.headRepository));
	const open = ours.filter(({ state }) => state === 'open');
	const [first, ...others] = open.filter(({ head }) => head.sha === measured.headSha);
	if (first && others.length === 0) return { pullRequest: toPullRequest(first) };
	return {
		pullRequest: null,
		reason: first ? severalMatch([first, ...others]) : noneMatches(ours, open, measured),
		warning: null,
	};
}

/** GitHub compares names without case. */
function isSameName(a: string | undefined, b: string): boolean {
	return a?.toLowerCase() === b.toLowerCase();
}

function severalMatch(matches: readonly ApiPullRequest[]): string {
	const numbers = matches.map(({ number }) => `#${number}`).join(' and ');
	return `pull requests ${numbers} have the same head, and the run does not name the one it measured`;
}

function noneMatches(
	ours: readonly ApiPullRequest[],
	[open]: readonly ApiPullRequest[],
	{ headSha, headRepository, headBranch }: MeasuredRun,
): string {
	if (open) {
		return `pull request #${open.number} has moved on to ${open.head.sha.slice(0, 7)} since ${headSha.slice(0, 7)} was measured: an older result must not stand as the newer commit's`;
	}
	const [closed] = ours;
	if (closed) return `pull request #${closed.number} is closed`;
	return `no open pull request comes from ${headBranch} of ${headRepository}: it is closed, or its branch is gone`;
}

function toPullRequest({ number, head, base }: ApiPullRequest): PullRequest {
	return {
		number,
		headSha: head.sha,
		baseSha: base.sha,
		headRepository: head.repo?.full_name ?? null,
	};
}

/** Returns the page of the open pull request from `branch`, opened if missing, or a warning. */
export async function openBaselinesPull(
	github: GitHub,
	repository: Repository,
	{ branch, base }: { readonly branch: string; readonly base: string },
): Promise<{ readonly url: string } | Warning> {
	try {
		const head = `${repository.owner}:${branch}`;
		const { data: open } = await github.rest.pulls.list({ ...repository, state: 'open', head, base, per_page: 1 });
		const [first] = open;
		if (first) return { url: first.html_url };
		const { data } = await github.rest.pulls.create({ ...repository, head: branch, base, title: TITLE, body: BODY });
		return { url: data.html_url };
	} catch (error) {
		return warningOf(error, {
			what: 'open the pull request with the baselines',
			needs: { 'pull-requests': 'write' },
		});
	}
}

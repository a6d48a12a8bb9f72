import type { ApiRequest } from './answer.ts';
import { accountOf } from './state.ts';
import type { Account, DoubleState, StoredPull } from './types.ts';

/** Where people read; the API is the double's own address. */
export const HTML = 'https://github.com';
const ACTIONS_BOT_ID = 41898282;
const ACTIONS_APP_ID = 15368;

/** When everything was made that does not say when. */
export const LONG_AGO = '2026-01-01T00:00:00Z';

/** Returns the moment, to the second, as GitHub writes it. */
export function now(): string {
	return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns an account as GitHub's simple user. The same login always has the same id. */
export function userOf({ login, type }: Account): Record<string, unknown> {
	const id = [...login].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 1_000_000_007, 7);
	return {
		login,
		id: login === 'github-actions[bot]' ? ACTIONS_BOT_ID : id,
		type,
		html_url: `${HTML}/${type === 'Bot' ? `apps/${login.replace('[bot]', '')}` : encodeURIComponent(login)}`,
	};
}

/** Returns an app as GitHub's integration. */
export function appOf(slug: string): Record<string, unknown> {
	const isActions = slug === 'github-actions';
	return {
		id: isActions ? ACTIONS_APP_ID : 1,
		slug,
		name: isActions ? 'GitHub Actions' : slug,
		owner: userOf({ login: 'github', type: 'User' }),
	};
}

/** Returns the parts of a repository others refer to. */
export function repositoryOf(fullName: string, state: DoubleState): Record<string, unknown> {
	const [owner = '', name = ''] = fullName.split('/');
	return {
		id: fullName === state.repository ? 1 : 2,
		name,
		full_name: fullName,
		owner: userOf(accountOf(owner)),
		html_url: `${HTML}/${fullName}`,
		fork: fullName !== state.repository,
	};
}

/** Returns a pull request with what its own answer and lists of pull requests share. */
export function pullOf(pull: StoredPull, request: ApiRequest, state: DoubleState): Record<string, unknown> {
	const side = (repository: string | null, ref: string, sha: string) => ({
		ref,
		sha,
		label: `${repository?.split('/')[0] ?? 'unknown'}:${ref}`,
		repo: repository === null ? null : repositoryOf(repository, state),
		user: repository === null ? null : userOf(accountOf(repository.split('/')[0] ?? '')),
	});
	return {
		id: 10_000 + pull.number,
		number: pull.number,
		title: pull.title ?? `Pull request ${pull.number}`,
		body: pull.body ?? null,
		state: pull.state ?? 'open',
		draft: pull.draft ?? false,
		created_at: pull.createdAt ?? LONG_AGO,
		user: userOf(accountOf(pull.author)),
		labels: labelsOf(pull),
		html_url: `${HTML}/${state.repository}/pull/${pull.number}`,
		url: `${request.url.origin}/repos/${state.repository}/pulls/${pull.number}`,
		head: side(pull.headRepository, pull.headRef, pull.headSha),
		base: side(state.repository, pull.baseRef, pull.baseSha),
	};
}

/** Returns the labels a pull request has now. */
export function labelsOf(pull: StoredPull | undefined): Record<string, unknown>[] {
	return (pull?.labels ?? []).map((name, index) => ({ id: index + 1, name, color: 'ededed' }));
}

/** Returns the commit a sha, branch, tag or `heads/…` stands for; null when there is none. */
export function resolveRef(ref: string, state: DoubleState): string | null {
	const short = ref.replace(/^refs\//, '');
	const named = state.refs[short] ?? state.refs[`heads/${short}`] ?? state.refs[`tags/${short}`];
	if (named !== undefined) return named;
	const release = state.releases.find(({ tag }) => tag === short.replace(/^tags\//, ''));
	if (release) return release.sha;
	return isCommit(short, state) ? short : null;
}

/** Returns whether there is a commit with this full sha. */
export function isCommit(sha: string, state: DoubleState): boolean {
	return /^[0-9a-f]{40}$/.test(sha) && (state.commits === null || sha in state.commits);
}

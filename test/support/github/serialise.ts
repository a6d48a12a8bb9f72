import type { ApiRequest } from './answer.ts';
import { accountOf } from './state.ts';
import type { Account, DoubleState, StoredPull } from './types.ts';

/** Web pages; the API has the double's address. */
export const HTML = 'https://github.com';
const ACTIONS_BOT_ID = 41898282;
const ACTIONS_APP_ID = 15368;

/** Default time of creation. */
export const LONG_AGO = '2026-01-01T00:00:00Z';

/** Returns the current time in GitHub's format, in seconds. */
export function now(): string {
	return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns a simple user; ids are stable per login. */
export function userOf({ login, type }: Account): Record<string, unknown> {
	const id = [...login].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 1_000_000_007, 7);
	return {
		login,
		id: login === 'github-actions[bot]' ? ACTIONS_BOT_ID : id,
		type,
		html_url: `${HTML}/${type === 'Bot' ? `apps/${login.replace('[bot]', '')}` : encodeURIComponent(login)}`,
	};
}

/** Returns an integration. */
export function appOf(slug: string): Record<string, unknown> {
	const isActions = slug === 'github-actions';
	return {
		id: isActions ? ACTIONS_APP_ID : 1,
		slug,
		name: isActions ? 'GitHub Actions' : slug,
		owner: userOf({ login: 'github', type: 'User' }),
	};
}

/** Returns a repository's shared properties. */
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

/** Returns the properties common to a pull request and lists of them. */
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

export function labelsOf(pull: StoredPull | undefined): Record<string, unknown>[] {
	return (pull?.labels ?? []).map((name, index) => ({ id: index + 1, name, color: 'ededed' }));
}

/** Returns the commit of a sha, branch, tag or `heads/…`; null if unknown. */
export function resolveRef(ref: string, state: DoubleState): string | null {
	const short = ref.replace(/^refs\//, '');
	const named = state.refs[short] ?? state.refs[`heads/${short}`] ?? state.refs[`tags/${short}`];
	if (named !== undefined) return named;
	const release = state.releases.find(({ tag }) => tag === short.replace(/^tags\//, ''));
	if (release) return release.sha;
	return isCommit(short, state) ? short : null;
}

export function isCommit(sha: string, state: DoubleState): boolean {
	return /^[0-9a-f]{40}$/.test(sha) && (state.commits === null || sha in state.commits);
}

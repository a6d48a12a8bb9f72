import { buildEnvironment } from '../../prepare/build/build-environment.ts';
import type { ChildContext } from '../../prepare/child.ts';
import { askGit, type GitLimit, runGit } from '../../prepare/revision/git.ts';
import type { RunnerContext } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import type { Janitor, Progress } from '../../types/run-services.ts';

/** Access to the user's checkout and its `origin`. */
export interface GitAccess extends ChildContext {
	readonly workspace: string;
	readonly progress: Progress;
	readonly serverUrl: string;
	readonly token: string;
}

export type Credentials = Pick<GitAccess, 'environment' | 'serverUrl' | 'token'>;

export interface GitAccessOptions {
	readonly runner: Pick<RunnerContext, 'workspace' | 'serverUrl'>;
	readonly token: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
}

/** Fetching a large history takes minutes, but a connection may hang for ever. */
const FETCH_LIMIT: GitLimit = { ms: 10 * 60 * 1000, mayPass: true };
const PLAIN_FETCH = [
	...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', '--recurse-submodules=no'],
	'--no-auto-maintenance',
];

export function openGitAccess({ runner, token, janitor, progress, signal }: GitAccessOptions): GitAccess {
	const environment = buildEnvironment({ node: process.execPath, janitor });
	const { workspace, serverUrl } = runner;
	return { workspace, serverUrl, token, environment, janitor, progress, signal };
}

/** Returns the trimmed output of `git ARGS`; null on failure. */
export function ask(access: GitAccess, ...args: readonly string[]): Promise<string | null> {
	return askGit(access, access.workspace, args);
}

/**
 * Fetches objects and shallow boundaries from `origin` without hooks. Writes no ref, checkout or FETCH_HEAD. Returns
 * null, or git's error without secrets.
 */
export async function fetchObjects(access: GitAccess, args: readonly string[]): Promise<string | null> {
	const authorised = { ...access, environment: withToken(access) };
	const outcome = await runGit(authorised, access.workspace, [...PLAIN_FETCH, ...args], FETCH_LIMIT);
	return outcome.succeeded ? null : withoutSecrets(outcome.stderr.trim() || outcome.ending, access);
}

/** Returns the commits of `origin`'s refs by full name; for a tag, its target. */
export async function listRemote(access: GitAccess, patterns: readonly string[]): Promise<Map<string, string>> {
	const authorised = { ...access, environment: withToken(access) };
	const args = ['ls-remote', '--quiet', 'origin', ...patterns];
	const { succeeded, stdout } = await runGit(authorised, access.workspace, args, FETCH_LIMIT);
	const refs = new Map<string, string>();
	for (const line of succeeded ? stdout.split('\n') : []) {
		const [sha, name] = line.split('\t');
		// After an annotated tag `v1`, git lists its target as `v1^{}`.
		if (sha !== undefined && name !== undefined) refs.set(name.replace(/\^\{\}$/, ''), sha);
	}
	return refs;
}

export async function checkRepository(access: GitAccess): Promise<void> {
	if ((await ask(access, 'rev-parse', '--git-dir')) !== null) return;
	throw new UserError({
		code: 'no-repository',
		where: access.workspace,
		message: 'the workspace is not a git repository',
		remedy: 'add a step with actions/checkout (fetch-depth: 0, persist-credentials: false) before this one',
	});
}

export async function isShallow(access: GitAccess): Promise<boolean> {
	return (await ask(access, 'rev-parse', '--is-shallow-repository')) === 'true';
}

/**
 * Passes the token in one child's environment, because all users can see arguments, and a file would stay. The empty
 * value first removes the header of actions/checkout, because servers refuse two.
 */
export function withToken({ environment, serverUrl, token }: Credentials): Record<string, string> {
	if (token === '') return { ...environment };
	const first = Number(environment.GIT_CONFIG_COUNT ?? 0) || 0;
	const key = `http.${serverUrl}/.extraheader`;
	return {
		...environment,
		GIT_CONFIG_COUNT: String(first + 2),
		[`GIT_CONFIG_KEY_${first}`]: key,
		[`GIT_CONFIG_VALUE_${first}`]: '',
		[`GIT_CONFIG_KEY_${first + 1}`]: key,
		[`GIT_CONFIG_VALUE_${first + 1}`]: `AUTHORIZATION: basic ${encode(token)}`,
	};
}

function encode(token: string): string {
	return Buffer.from(`x-access-token:${token}`).toString('base64');
}

/** Removes the token and passwords in URLs. */
export function withoutSecrets(text: string, { token }: Pick<Credentials, 'token'>): string {
	const plain = text.replace(/\/\/[^/@\s]+@/g, '//***@');
	return token === '' ? plain : plain.replaceAll(token, '***').replaceAll(encode(token), '***');
}

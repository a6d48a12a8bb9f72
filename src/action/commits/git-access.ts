import { buildEnvironment } from '../../prepare/build/build-environment.ts';
import type { ChildContext } from '../../prepare/child.ts';
import { askGit, type GitLimit, runGit } from '../../prepare/revision/git.ts';
import type { RunnerContext } from '../../types/action-run.ts';
import { UserError } from '../../types/errors.ts';
import type { Janitor, Progress } from '../../types/run-services.ts';

/** The user's checkout, and what fetching into it takes. */
export interface GitAccess extends ChildContext {
	readonly workspace: string;
	readonly progress: Progress;
	readonly serverUrl: string;
	/** Empty when there is none. */
	readonly token: string;
}

/** What git needs to be let in. */
export type Credentials = Pick<GitAccess, 'environment' | 'serverUrl' | 'token'>;

export interface GitAccessOptions {
	readonly runner: Pick<RunnerContext, 'workspace' | 'serverUrl'>;
	readonly token: string;
	readonly janitor: Janitor;
	readonly progress: Progress;
	readonly signal: AbortSignal;
}

/** Fetching the history of a large repository takes minutes; a connection that hangs takes for ever. */
const FETCH_LIMIT: GitLimit = { ms: 10 * 60 * 1000, mayPass: true };
const PLAIN_FETCH = [
	...['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--refmap=', '--recurse-submodules=no'],
	'--no-auto-maintenance',
];

/** Returns the access to the workspace's repository. Its children see a scrubbed environment, as builds do. */
export function openGitAccess({ runner, token, janitor, progress, signal }: GitAccessOptions): GitAccess {
	const environment = buildEnvironment({ node: process.execPath, janitor });
	const { workspace, serverUrl } = runner;
	return { workspace, serverUrl, token, environment, janitor, progress, signal };
}

/** Returns what `git ARGS` prints in the workspace, trimmed; null when it fails. */
export function ask(access: GitAccess, ...args: readonly string[]): Promise<string | null> {
	return askGit(access, access.workspace, args);
}

/**
 * Fetches from `origin` without writing any ref, checkout or FETCH_HEAD: only objects, and where history ends. Hooks are
 * off. Returns null, or what git said when it failed, without token and passwords.
 */
export async function fetchObjects(access: GitAccess, args: readonly string[]): Promise<string | null> {
	const authorised = { ...access, environment: withToken(access) };
	const outcome = await runGit(authorised, access.workspace, [...PLAIN_FETCH, ...args], FETCH_LIMIT);
	return outcome.succeeded ? null : withoutSecrets(outcome.stderr.trim() || outcome.ending, access);
}

/** Returns what `origin` has under these patterns: commit (of the tag, not the tag itself) by full name of the ref. */
export async function listRemote(access: GitAccess, patterns: readonly string[]): Promise<Map<string, string>> {
	const authorised = { ...access, environment: withToken(access) };
	const args = ['ls-remote', '--quiet', 'origin', ...patterns];
	const { succeeded, stdout } = await runGit(authorised, access.workspace, args, FETCH_LIMIT);
	const refs = new Map<string, string>();
	for (const line of succeeded ? stdout.split('\n') : []) {
		const [sha, name] = line.split('\t');
		// `v1^{}` follows `v1` when v1 is an annotated tag, and is the commit it points to.
		if (sha !== undefined && name !== undefined) refs.set(name.replace(/\^\{\}$/, ''), sha);
	}
	return refs;
}

/** Throws UserError when the workspace is not a git repository: then nobody checked one out. */
export async function checkRepository(access: GitAccess): Promise<void> {
	if ((await ask(access, 'rev-parse', '--git-dir')) !== null) return;
	throw new UserError({
		code: 'no-repository',
		where: access.workspace,
		message: 'the workspace is not a git repository',
		remedy: 'add a step with actions/checkout (fetch-depth: 0, persist-credentials: false) before this one',
	});
}

/** Whether history ends early in the workspace's repository. */
export async function isShallow(access: GitAccess): Promise<boolean> {
	return (await ask(access, 'rev-parse', '--is-shallow-repository')) === 'true';
}

/**
 * The token for one process, as configuration in its environment: arguments are visible to every user of the machine, and
 * files stay. The empty value first takes out what actions/checkout left: two authorisations are refused by the server.
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

/** Returns what git said without the token and passwords in addresses. */
export function withoutSecrets(text: string, { token }: Pick<Credentials, 'token'>): string {
	const plain = text.replace(/\/\/[^/@\s]+@/g, '//***@');
	return token === '' ? plain : plain.replaceAll(token, '***').replaceAll(encode(token), '***');
}

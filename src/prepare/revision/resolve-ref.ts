import { suggest } from '../../config/suggest.ts';
import { UserError } from '../../types/errors.ts';
import { isFullHash } from '../../types/shared-names.ts';
import type { Side } from '../../types/units.ts';
import type { ChildContext } from '../child.ts';
import type { Session } from '../prepare-context.ts';
import { askGit, type GitLimit, runGit } from './git.ts';

const SHA = /^[0-9a-f]{7,40}$/i;
const ANCESTOR = /^(.+?)[~^].*$/;
const REMOTE_LIMIT: GitLimit = { ms: 10_000, mayPass: true };

/** `content` is the tree, so equal code has an equal key. */
export interface Commit {
	readonly sha: string;
	readonly content: string;
	readonly label: string;
}

/** Returns the commit of a ref or, because CI checkouts have no local branches, of `origin/REF`. */
export async function findCommit(context: ChildContext, repository: string, ref: string): Promise<Commit | null> {
	for (const candidate of [ref, `refs/remotes/origin/${ref}`]) {
		const verify = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${candidate}^{commit}`];
		const sha = await askGit(context, repository, verify);
		if (sha === null) continue;
		// One call; its second half fails for refs known only to origin.
		const args = ['rev-parse', `${sha}^{tree}`, '--symbolic-full-name', '--end-of-options', ref];
		const [tree = '', ...names] = (await runGit(context, repository, args)).stdout.split('\n');
		if (isFullHash(tree)) return { sha, content: `tree ${tree}`, label: labelOf(ref, sha, names) };
	}
	return null;
}

/** `v5.1.0` for a tag, `1a2b3c4` for a hash, `main@1a2b3c4` for anything that moves. */
function labelOf(ref: string, sha: string, names: readonly string[]): string {
	const short = sha.slice(0, 7);
	if (SHA.test(ref) && sha.startsWith(ref.toLowerCase())) return short;
	return names.includes(`refs/tags/${ref}`) ? ref : `${ref}@${short}`;
}

/**
 * Returns the error for a ref not fetched (a shallow clone, or only `origin` has it); null if it does not seem to
 * exist.
 */
export async function explainMissingRef(
	session: Session,
	side: Side,
	repository: string,
	ref: string,
): Promise<UserError | null> {
	const shallow = (await askGit(session, repository, ['rev-parse', '--is-shallow-repository'])) === 'true';
	if (shallow && (SHA.test(ref) || (await isCutOff(session, repository, ref))))
		return shallowError(side, repository, ref);
	if (isFullHash(ref.toLowerCase()) && (await askGit(session, repository, ['remote', 'get-url', 'origin'])) !== null) {
		return new UserError({
			code: 'not-fetched',
			where: `--${side}`,
			message: `the commit ${ref} is not in ${repository}; a clone has no commits of pull requests from forks`,
			remedy: `git fetch origin ${ref}`,
		});
	}
	if (!(await remoteHas(session, repository, ref))) return null;
	if (shallow) return shallowError(side, repository, ref);
	return new UserError({
		code: 'not-fetched',
		where: `--${side}`,
		message: `"${ref}" exists on origin but was not fetched into ${repository}`,
		remedy: `git fetch origin ${withoutRemote(ref)}:refs/remotes/origin/${withoutRemote(ref)} (in a workflow: fetch-depth: 0 on actions/checkout)`,
	});
}

export async function nearestRef(session: Session, repository: string, ref: string): Promise<string | undefined> {
	const patterns = ['refs/heads', 'refs/tags', 'refs/remotes'];
	const names = await askGit(session, repository, ['for-each-ref', '--format=%(refname:short)', ...patterns]);
	return suggest(ref, names?.split('\n').filter((name) => name !== '') ?? []);
}

function shallowError(side: Side, repository: string, ref: string): UserError {
	return new UserError({
		code: 'shallow-clone',
		where: `--${side}`,
		message: `the commit of "${ref}" is not in ${repository}, which is a shallow clone`,
		remedy: 'fetch the history: git fetch --unshallow --tags (in a workflow: fetch-depth: 0 on actions/checkout)',
	});
}

/** Whether `main~20` fails only because the clone is shallow. */
async function isCutOff(session: Session, repository: string, ref: string): Promise<boolean> {
	const start = ANCESTOR.exec(ref)?.[1];
	return start !== undefined && (await findCommit(session, repository, start)) !== null;
}

async function remoteHas(session: Session, repository: string, ref: string): Promise<boolean> {
	const name = withoutRemote(ref);
	// A name with `@` is NAME@VERSION of a package.
	if (name.includes('@') || name.startsWith('-')) return false;
	const args = ['ls-remote', '--exit-code', 'origin', `refs/heads/${name}`, `refs/tags/${name}`];
	return (await runGit(session, repository, args, REMOTE_LIMIT)).succeeded;
}

function withoutRemote(ref: string): string {
	return ref.replace(/^(refs\/(heads|tags|remotes\/origin)|origin)\//, '');
}

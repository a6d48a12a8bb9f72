import { execa } from 'execa';
import { isInert } from '../../prepare/content/reads.ts';
import { QUESTION_MS } from '../../process/deadline.ts';

/**
 * Whether the repository around `cwd` equals its last commit, except documents, workflows and the config: one build
 * represents both. False in doubt.
 */
export async function isAsCommitted(cwd: string): Promise<boolean> {
	const args = [
		'-c',
		'core.fsmonitor=false',
		'status',
		'--porcelain=v1',
		'-z',
		'--untracked-files=all',
		'--ignore-submodules=none',
		'--no-renames',
	];
	const gitStatus = await ask(cwd, args);
	if (gitStatus.failed) return false;
	const paths = gitStatus.stdout.split('\0').filter((line) => line !== '');
	// Two status letters and a space precede the path.
	return paths.every((line) => isInert(line.slice(3), []));
}

const BASES = ['origin/HEAD', 'main', 'master', 'HEAD~1'];

/** Returns another commit than the last one: the default branch, or its parent; null without one. */
export async function findBase(cwd: string): Promise<string | null> {
	const commitOf = async (ref: string) => {
		const { failed, stdout } = await ask(cwd, ['rev-parse', '--quiet', '--verify', `${ref}^{commit}`]);
		return failed ? null : stdout.trim();
	};
	const head = await commitOf('HEAD');
	for (const ref of BASES) {
		const commit = await commitOf(ref);
		if (commit === null || commit === head) continue;
		if (ref !== 'origin/HEAD') return ref;
		const { stdout } = await ask(cwd, ['rev-parse', '--abbrev-ref', ref]);
		return stdout.trim();
	}
	return null;
}

function ask(cwd: string, args: readonly string[]) {
	return execa('git', args, { cwd, reject: false, stdin: 'ignore', timeout: QUESTION_MS });
}

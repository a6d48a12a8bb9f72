import { execa } from 'execa';
import { isInert } from '../../prepare/content/inert.ts';
import { QUESTION_MS } from '../../process/deadline.ts';

/**
 * Returns whether the repository around `cwd` equals its last commit, except for documents, workflows and the config,
 * so that one build represents both. False in doubt.
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
	const gitStatus = await execa('git', args, { cwd, reject: false, stdin: 'ignore', timeout: QUESTION_MS });
	if (gitStatus.failed) return false;
	const paths = gitStatus.stdout.split('\0').filter((line) => line !== '');
	// Two status letters and a space precede the path.
	return paths.every((line) => isInert(line.slice(3), []));
}

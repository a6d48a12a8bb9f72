/** Whether the folder at hand is what the last commit holds, as far as any program could tell. */
import { execa } from 'execa';
import { isInert } from '../../prepare/content/inert.ts';
import { QUESTION_MS } from '../../process/deadline.ts';

/**
 * Returns whether nothing in the repository around `cwd` differs from its last commit but documents, workflows and the config: then
 * one build stands for both. False without a repository, and while there is any doubt.
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
	const asked = await execa('git', args, { cwd, reject: false, stdin: 'ignore', timeout: QUESTION_MS });
	if (asked.failed) return false;
	const paths = asked.stdout.split('\0').filter((line) => line !== '');
	// Two letters say what became of a file, then comes its path.
	return paths.every((line) => isInert(line.slice(3), []));
}

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Warning } from '../../types/units.ts';
import { RUNNER_FILES } from './secrets.ts';

/**
 * Remembers the files through which a step speaks to the runner, to be called when benchgate has written the last of what it
 * writes before the code under test begins. Returns a function to be called when that has ended and before anything is
 * written again: it puts the files back as they were, and returns the warning
 * `runner-files-touched` when somebody had written to one (a build could set variables of later steps that way), else null.
 */
export function guardRunnerFiles(environment: Readonly<NodeJS.ProcessEnv>): () => Warning | null {
	const files = RUNNER_FILES.flatMap((name) => {
		const path = environment[name];
		return path === undefined || path === '' ? [] : [{ name, path, text: readOrNull(path) }];
	});
	return () => {
		const touched = files.filter(({ path, text }) => readOrNull(path) !== text);
		for (const { path, text } of touched) {
			// A link in its place must not be followed.
			rmSync(path, { recursive: true, force: true });
			if (text !== null) writeFileSync(path, text, { flag: 'wx', encoding: 'latin1' });
		}
		if (touched.length === 0) return null;
		const names = touched.map(({ name }) => name).join(', ');
		return {
			code: 'runner-files-touched',
			message: `the code under test, or its build, wrote to files that steer later steps of the job (${names}); what it wrote was removed`,
		};
	};
}

function readOrNull(path: string): string | null {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return null;
	}
}

import type { Failure } from '../../types/action-run.ts';
import type { ActionSession } from '../action-session.ts';
import { guardOwnFiles } from '../secrets/own-files.ts';
import { guardRunnerFiles } from '../secrets/secrets-files.ts';
import { endForeignCode } from './end-foreign-code.ts';

/** What came of it; with `rewritten` benchgate itself was changed meanwhile, and nobody knows what it measured. */
export interface ForeignRun<T> {
	readonly value: T;
	readonly rewritten: Failure | null;
}

/**
 * Runs `work`, in which the code under test runs, and returns what it returns, once all that code has ended and the runner's files
 * are as they were before. Nothing may be remembered for the post step meanwhile.
 */
export async function runForeignCode<T>(
	session: Pick<ActionSession, 'janitor' | 'warnings'>,
	work: () => Promise<T>,
): Promise<ForeignRun<T>> {
	const restoreFiles = guardRunnerFiles(process.env);
	const restoreOwn = guardOwnFiles();
	let rewritten: Failure | null = null;
	let value: T;
	try {
		value = await work();
	} finally {
		await endForeignCode(session);
		const written = restoreFiles();
		if (written !== null) session.warnings.push(written);
		rewritten = restoreOwn();
	}
	return { value, rewritten };
}

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENTRIES } from '../../process/entries.ts';
import { endLeftBehind } from '../../process/processes.ts';
import type { Failure } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import { RUNNER_FILES } from '../secrets.ts';

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

/**
 * Remembers the program files of benchgate itself: the runner starts one of them once more after the job's steps, with the token.
 * Returns a function to be called when the code under test has ended: it puts the files back as they were, and returns the failure
 * `own-files-touched` when somebody had changed one, else null.
 */
export function guardOwnFiles(folder = dirname(ENTRIES.watchdog)): () => Failure | null {
	const files = readdirSync(folder)
		.filter((name) => /\.(?:[cm]?js|json)$/.test(name))
		.map((name) => ({ name, path: join(folder, name), bytes: readFileSync(join(folder, name)) }));
	return () => {
		const touched = files.filter(({ path, bytes }) => !bytes.equals(readOrNothing(path)));
		for (const { path, bytes } of touched) {
			rmSync(path, { recursive: true, force: true });
			writeFileSync(path, bytes, { flag: 'wx' });
		}
		if (touched.length === 0) return null;
		const names = touched.map(({ name }) => name).join(', ');
		return {
			code: 'own-files-touched',
			side: null,
			message: `something changed benchgate's own files while code of this pull request could run: ${names}. They were put back`,
			where: null,
			remedy: 'look at what the build and the servers of head write; "isolation: users" keeps them out of these files',
			details: null,
			usage: false,
		};
	};
}

function readOrNothing(path: string): Buffer {
	try {
		return readFileSync(path);
	} catch {
		return Buffer.alloc(0);
	}
}

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

/**
 * Ends every process of the code under test that is still alive, so that nobody can read the environment of what is started
 * next, or change files behind our back. Usually there is none, and it takes a few milliseconds.
 */
export async function endForeignCode({ janitor }: Pick<ActionSession, 'janitor'>): Promise<void> {
	await endLeftBehind(`${janitor.marker.name}=${janitor.marker.value}`);
}

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENTRIES } from '../../process/entries.ts';
import { endLeftBehind } from '../../process/processes.ts';
import type { Failure } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession } from '../action-session.ts';
import { RUNNER_FILES } from '../secrets.ts';

/** If `rewritten` is set, benchgate's own files were changed, so do not trust the value. */
export interface ForeignRun<T> {
	readonly value: T;
	readonly rewritten: Failure | null;
}

/**
 * Runs `work`, which runs code under test, then ends that code and restores the runner's files. Do not call `remember`
 * while it runs.
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
 * Saves benchgate's program files, because the runner later starts one again, with the token. The returned function
 * restores them and returns the failure `own-files-touched` or null; call it after the code under test has ended.
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
 * Saves the runner's command files, through which a build could set variables of later steps, before code under test
 * starts. The returned function restores them and returns the warning `runner-files-touched` or null; call it after
 * that code has ended, before our next write.
 */
export function guardRunnerFiles(environment: Readonly<NodeJS.ProcessEnv>): () => Warning | null {
	const files = RUNNER_FILES.flatMap((name) => {
		const path = environment[name];
		return path === undefined || path === '' ? [] : [{ name, path, text: readOrNull(path) }];
	});
	return () => {
		const touched = files.filter(({ path, text }) => readOrNull(path) !== text);
		for (const { path, text } of touched) {
			// Removed first, because a write would follow a symlink.
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

/** Ends processes of code under test, so they cannot read the environment of later children or change files. */
export async function endForeignCode({ janitor }: Pick<ActionSession, 'janitor'>): Promise<void> {
	await endLeftBehind(`${janitor.marker.name}=${janitor.marker.value}`);
}

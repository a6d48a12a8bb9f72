import { access, lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { QUESTION_MS } from '../../process/deadline.ts';
import { WORKFLOW_FOLDER } from '../initial-workflow.ts';

export interface WorkflowText {
	/** Relative to the top of the repository. */
	readonly file: string;
	readonly text: string;
}

export interface Repository {
	/** Sorted by name; empty outside a repository. */
	readonly workflows: readonly WorkflowText[];
	/** Path from the top; null for a missing file. */
	readonly read: (file: string) => Promise<string | null>;
	/** As in `Surroundings`. */
	readonly isLinked: (file: string) => Promise<boolean>;
	/** Address of the remote `origin`; null without one. */
	readonly origin?: string | null;
	readonly isGit?: boolean;
}

export async function readRepository(cwd: string): Promise<Repository> {
	const top = await findTop(path.resolve(cwd));
	if (top === null) return { workflows: [], read: async () => null, isLinked: async () => false, isGit: false };
	const read = (file: string) => readFile(path.join(top, file), 'utf8').catch(() => null);
	const names = await readdir(path.join(top, WORKFLOW_FOLDER)).catch(() => []);
	const workflows = names
		.filter((name) => /\.ya?ml$/.test(name))
		.sort()
		.map(async (name) => {
			const file = `${WORKFLOW_FOLDER}/${name}`;
			const text = await read(file);
			return text === null ? [] : [{ file, text }];
		});
	const isLinked = (file: string) => leadsThroughLink(top, file);
	const origin = await findOrigin(top);
	return { workflows: (await Promise.all(workflows)).flat(), read, isLinked, origin };
}

async function findOrigin(top: string): Promise<string | null> {
	const asked = await execa('git', ['config', '--get', 'remote.origin.url'], {
		cwd: top,
		reject: false,
		timeout: QUESTION_MS,
	});
	return asked.exitCode === 0 && asked.stdout !== '' ? asked.stdout : null;
}

async function leadsThroughLink(top: string, file: string): Promise<boolean> {
	let at = top;
	for (const name of file.split('/')) {
		at = path.join(at, name);
		if ((await lstat(at).catch(() => null))?.isSymbolicLink()) return true;
	}
	const below = await readdir(at, { withFileTypes: true }).catch(() => []);
	return below.some((entry) => entry.isSymbolicLink());
}

async function findTop(folder: string): Promise<string | null> {
	const isTop = await access(path.join(folder, '.git')).then(
		() => true,
		() => false,
	);
	if (isTop) return folder;
	const above = path.dirname(folder);
	return above === folder ? null : findTop(above);
}

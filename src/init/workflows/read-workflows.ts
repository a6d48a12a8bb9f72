import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { WORKFLOW_FOLDER } from '../initial-workflow.ts';

/** A workflow of the repository as it stands there. */
export interface WorkflowText {
	/** Relative to the top of the repository. */
	readonly file: string;
	readonly text: string;
}

/** Returns the workflows of the repository that `cwd` lies in, by name; none outside of one. */
export async function readWorkflows(cwd: string): Promise<readonly WorkflowText[]> {
	const top = await findTop(path.resolve(cwd));
	if (top === null) return [];
	const names = await readdir(path.join(top, WORKFLOW_FOLDER)).catch(() => []);
	const read = names
		.filter((name) => /\.ya?ml$/.test(name))
		.sort()
		.map(async (name) => {
			const file = `${WORKFLOW_FOLDER}/${name}`;
			const text = await readFile(path.join(top, file), 'utf8').catch(() => null);
			return text === null ? [] : [{ file, text }];
		});
	return (await Promise.all(read)).flat();
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

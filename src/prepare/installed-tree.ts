import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { LINK } from '../types/impact.ts';

const TEXT = /\.(?:[cm]?js|json)$/;

/**
 * Returns each file below a folder by its relative path: the text of JavaScript and JSON, a hash of others, the target
 * of a link. Leaves out git's folder.
 */
export async function readInstalledTree(folder: string): Promise<ReadonlyMap<string, string>> {
	const tree = new Map<string, string>();
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		const file = join(entry.parentPath, entry.name);
		const path = relative(folder, file).split(sep).join('/');
		if (/(?:^|\/)\.git\//.test(path)) continue;
		if (entry.isSymbolicLink()) tree.set(path, `${LINK}${await readlink(file)}`);
		else if (entry.isFile()) tree.set(path, await readContent(file));
	}
	return tree;
}

async function readContent(file: string): Promise<string> {
	const content = await readFile(file);
	return TEXT.test(file) ? content.toString() : createHash('sha256').update(content).digest('hex');
}

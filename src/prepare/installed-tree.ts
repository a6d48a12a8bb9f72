import { createHash } from 'node:crypto';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { LINK } from '../types/impact.ts';

const READABLE = 0o444;
const EXECUTABLE = 0o111;
const TEXT = /\.(?:[cm]?js|json)$/;

/**
 * Returns each file below a folder by its relative path: the text of JavaScript and JSON, a hash of others and of files
 * that nobody may read, with their mode, the target of a link. Leaves out git's folder.
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
	const [content, { mode }] = await Promise.all([readFile(file), stat(file)]);
	const isReadable = (mode & READABLE) !== 0;
	if (TEXT.test(file) && isReadable) return content.toString();
	const hash = createHash('sha256').update(content).digest('hex');
	return `${hash}${isReadable ? '' : ' unreadable'}${(mode & EXECUTABLE) === 0 ? '' : ' executable'}`;
}

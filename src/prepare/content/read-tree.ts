/** Reads an installed side as text. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Text that is compared; of other files a hash is enough. */
const TEXT = /\.(?:[cm]?js|json)$/;

/** Returns relative path → text of JavaScript and JSON, or else a SHA-256. Leaves out git's folder and links. */
export async function readTree(root: string): Promise<ReadonlyMap<string, string>> {
	const entries = await readdir(root, { recursive: true, withFileTypes: true });
	const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
	const tree = new Map<string, string>();
	for (const path of paths) {
		const name = relative(root, path).split(sep).join('/');
		if (/(?:^|\/)\.git\//.test(name)) continue;
		const content = readFileSync(path);
		tree.set(name, TEXT.test(name) ? content.toString() : createHash('sha256').update(content).digest('hex'));
	}
	return tree;
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `root` is the tool's folder. */
export async function readSiteAssets(root: string): Promise<{ readonly script: string; readonly style: string }> {
	const read = (name: string) => readFile(join(root, 'dist', name), 'utf8');
	return { script: await read('site.js'), style: await read('site.css') };
}

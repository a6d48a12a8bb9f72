import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns script and styles of the dashboard as they were built. `root`: folder of the tool. */
export async function readSiteAssets(root: string): Promise<{ readonly script: string; readonly style: string }> {
	const read = (name: string) => readFile(join(root, 'dist', name), 'utf8');
	return { script: await read('site.js'), style: await read('site.css') };
}

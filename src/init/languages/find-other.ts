/** The service of a folder in another language than JavaScript. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Started } from '../service-config.ts';
import { findGo } from './find-go.ts';
import { findPython } from './find-python.ts';

/** Returns how the program of a folder is built, started and asked; null where nothing serves in a language that is known. */
export async function findOther(cwd: string): Promise<Started | null> {
	const service = (await findGo(cwd)) ?? (await findPython(cwd));
	if (service === null) return null;
	return { found: { folder: '.', json: { name: await nameFolder(cwd) } }, service };
}

/** What the project calls itself, else its folder. */
async function nameFolder(cwd: string): Promise<string> {
	const module = await readFile(path.join(cwd, 'go.mod'), 'utf8').catch(() => '');
	const named = /^module\s+(?:\S*\/)?([^\s/]+)/m.exec(module)?.[1];
	return named ?? path.basename(path.resolve(cwd));
}

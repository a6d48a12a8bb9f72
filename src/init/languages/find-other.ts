/** The service of a folder in another language than JavaScript. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { NOTHING_TO_DO } from '../config-parts.ts';
import type { Started } from '../repository.ts';
import { findGo } from './find-go.ts';
import { findPython } from './find-python.ts';

/** Where the service lies when it is not the whole repository, in the order people mean them. */
const FOLDERS = ['.', 'backend', 'server', 'api', 'app', 'src', 'service'];

/** Returns how the program of a repository is built, started and asked; null where nothing serves in a language that is known. */
export async function findOther(cwd: string): Promise<Started | null> {
	for (const folder of FOLDERS) {
		const at = path.join(cwd, folder);
		const service = (await findGo(at)) ?? (await findPython(at));
		if (service === null) continue;
		const { prepare } = service;
		const below = folder !== '.' && prepare !== undefined && prepare !== NOTHING_TO_DO;
		const json = { name: await nameFolder(at) };
		return {
			found: { folder, json },
			service: below ? { ...service, prepare: `cd ${folder} && ${prepare}` } : service,
		};
	}
	return null;
}

/** What the project calls itself, else its folder. */
async function nameFolder(cwd: string): Promise<string> {
	const module = await readFile(path.join(cwd, 'go.mod'), 'utf8').catch(() => '');
	const named = /^module\s+(?:\S*\/)?([^\s/]+)/m.exec(module)?.[1];
	return named ?? path.basename(path.resolve(cwd));
}

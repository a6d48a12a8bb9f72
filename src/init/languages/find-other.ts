/** Finds services in languages other than JavaScript. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { NOTHING_TO_DO } from '../config-parts.ts';
import type { Started } from '../repository.ts';
import { findGo } from './find-go.ts';
import { findPython } from './find-python.ts';

/** Locations of a service, in order of preference. */
const FOLDERS = ['.', 'backend', 'server', 'api', 'app', 'src', 'service'];

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

async function nameFolder(cwd: string): Promise<string> {
	const module = await readFile(path.join(cwd, 'go.mod'), 'utf8').catch(() => '');
	const named = /^module\s+(?:\S*\/)?([^\s/]+)/m.exec(module)?.[1];
	return named ?? path.basename(path.resolve(cwd));
}

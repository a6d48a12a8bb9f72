import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TOOL_ROOT } from '../process/entries.ts';
import { UserError } from '../types/errors.ts';
import { initialConfig, type PackageJson } from './initial-config.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { CONFIG_NAMES, findConfig } from './load-config.ts';
import { parseConfig } from './parse-config.ts';

const FILE = CONFIG_NAMES[0];

/**
 * Writes a commented `benchgate.yml` that suits the package in `cwd`. Returns what was written and what to do next, for the
 * terminal. Throws a UserError when there is a config already (nothing is overwritten) or the package.json is not JSON.
 */
export async function writeInitialConfig(cwd: string, toolFolder = TOOL_ROOT): Promise<string> {
	const existing = await findConfig(cwd);
	if (existing !== undefined) throw existsError(existing);
	const catalogue = await loadCatalogue(toolFolder);
	const text = initialConfig(await readPackage(cwd), catalogue);
	const { servers = [] } = parseConfig(text, FILE, catalogue);
	await writeOnce(path.join(cwd, FILE), text);
	const loaded = servers.map((server) => (typeof server === 'string' ? server : `${server.name} (${server.command})`));
	return `Wrote ${FILE}. It loads ${loaded.join(', ')}.\nLook it over, then try: benchgate compare --base HEAD --head .`;
}

async function writeOnce(location: string, text: string): Promise<void> {
	try {
		await writeFile(location, text, { flag: 'wx' });
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === 'EEXIST') throw existsError(FILE);
		throw new UserError({
			code: 'cannot-write',
			message: `the config cannot be written (${code})`,
			where: location,
			remedy: 'run benchgate init in a folder you can write to',
			cause,
		});
	}
}

async function readPackage(cwd: string): Promise<PackageJson | null> {
	const text = await readFile(path.join(cwd, 'package.json'), 'utf8').catch(() => null);
	if (text === null) return null;
	try {
		return JSON.parse(text) as PackageJson;
	} catch (cause) {
		throw new UserError({
			code: 'bad-package',
			message: `package.json is not JSON: ${(cause as Error).message}`,
			where: path.join(cwd, 'package.json'),
			remedy: 'correct it and run benchgate init again',
			cause,
		});
	}
}

function existsError(name: string): UserError {
	return new UserError({
		code: 'config-exists',
		message: 'there is a config already, and it is left as it is',
		where: name,
		remedy: 'edit it, or move it away and run benchgate init again',
	});
}

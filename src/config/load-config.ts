import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../types/errors.ts';
import type { Catalogue } from './catalogue.ts';
import type { ConfigFile } from './config-file.ts';
import { parseConfig } from './parse-config.ts';

/** Names a config can have, the usual one first. */
export const CONFIG_NAMES = ['benchgate.yml', 'benchgate.yaml'] as const;

/**
 * Returns the config in `cwd`, or the one at `file` (relative to `cwd`) when given; null when `cwd` has none.
 * Throws a UserError when `file` cannot be read, when there are two configs, or when the config is not valid.
 */
export async function loadConfig(
	cwd: string,
	file: string | undefined,
	catalogue: Catalogue,
): Promise<ConfigFile | null> {
	const name = file ?? (await findConfig(cwd));
	if (name === undefined) return null;
	return parseConfig(await readText(path.resolve(cwd, name), name), name, catalogue);
}

/** Returns the name of the config in `cwd`; undefined when there is none. Throws a UserError when there are two. */
export async function findConfig(cwd: string): Promise<string | undefined> {
	const found: string[] = [];
	for (const name of CONFIG_NAMES) {
		if (await exists(path.join(cwd, name))) found.push(name);
	}
	if (found.length > 1) {
		throw new UserError({
			code: 'two-configs',
			message: `${found.join(' and ')} both exist`,
			where: cwd,
			remedy: 'keep one, or choose one with --config',
		});
	}
	return found[0];
}

async function readText(location: string, name: string): Promise<string> {
	try {
		return await readFile(location, 'utf8');
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		const message = code === 'ENOENT' ? 'there is no such config' : `the config cannot be read (${code})`;
		throw new UserError({
			code: 'unreadable-config',
			message,
			where: name,
			remedy: 'check the path given with --config, or write a config with benchgate init',
			cause,
		});
	}
}

async function exists(location: string): Promise<boolean> {
	return access(location).then(
		() => true,
		() => false,
	);
}

import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../types/errors.ts';
import type { Catalogue } from './catalogue.ts';
import type { DataTexts } from './file/check-data.ts';
import { type ConfigFile, parseConfig } from './file/parse-config.ts';
import { readCommitted } from './load-committed.ts';
import { loadData } from './load-data.ts';

/** The usual name first. */
export const CONFIG_NAMES = ['benchgate.yml', 'benchgate.yaml'] as const;

export interface ConfigText {
	readonly name: string;
	readonly text: string;
	readonly data: DataTexts;
}

/**
 * Loads `file` (relative to `cwd`, or `git:REF:PATH`), else the config in `cwd`; null without a config. Throws
 * UserError if it is unreadable or invalid, or if `cwd` has two.
 */
export async function loadConfig(
	cwd: string,
	file: string | undefined,
	catalogue: Catalogue,
): Promise<ConfigFile | null> {
	const read = await readConfigText(cwd, file);
	return read === null ? null : parseConfig(read.text, read.name, catalogue, read.data);
}

/** Reads a config and its data files without parsing them; otherwise like `loadConfig`. */
export async function readConfigText(cwd: string, file: string | undefined): Promise<ConfigText | null> {
	const name = file ?? (await findConfig(cwd));
	if (name === undefined) return null;
	const text = await readText(cwd, name);
	return { name, text, data: await loadData(cwd, name, text) };
}

export async function findConfig(cwd: string): Promise<string | undefined> {
	const names: string[] = [];
	for (const name of CONFIG_NAMES) {
		if (await exists(path.join(cwd, name))) names.push(name);
	}
	return onlyConfig(names, cwd);
}

/** Throws UserError for two names. */
export function onlyConfig(names: readonly string[], where: string): string | undefined {
	if (names.length < 2) return names[0];
	throw new UserError({
		code: 'two-configs',
		message: `${names.join(' and ')} both exist`,
		where,
		remedy: 'keep one, or choose one with --config',
	});
}

async function readText(cwd: string, name: string): Promise<string> {
	const committed = await readCommitted(cwd, name);
	if (committed !== undefined) return committed;
	try {
		return await readFile(path.resolve(cwd, name), 'utf8');
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

import { readFile, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { publicGitConfig, publicNpmSettings } from './public-settings.ts';
import type { View } from './view-script.ts';

/** A checkout belongs to us, and git refuses to look at other users' repositories. */
const GIT_CONFIG = '[safe]\n\tdirectory = *\n';

/** Writes the settings that builds need into a side's home: which registry our npm asks, but no token. */
export async function fillHome(home: string): Promise<void> {
	await writeFile(join(home, '.gitconfig'), GIT_CONFIG);
	await writeFile(join(home, '.npmrc'), publicNpmSettings(await readOr(join(homedir(), '.npmrc'))));
}

/**
 * Returns what is to be seen in place of the repository's configuration, where the token of actions/checkout stands, written
 * into `folder`; nothing where it holds no secrets.
 */
export async function maskGitConfig(repository: string | null | undefined, folder: string): Promise<View['masks']> {
	if (!repository) return [];
	const path = join(await realpath(repository), 'config');
	const by = join(folder, 'gitconfig');
	const text = await readOr(path);
	const shown = publicGitConfig(text);
	if (shown === text) return [];
	await writeFile(by, shown, { mode: 0o644 });
	return [{ path, by }];
}

function readOr(path: string): Promise<string> {
	return readFile(path, 'utf8').catch(() => '');
}

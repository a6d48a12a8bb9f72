/** Settings that a side's user needs in its home, without tokens. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { QUESTION_MS } from '../process/deadline.ts';
import { PUBLIC_SETTINGS, publicGitConfig, publicSettings } from './public-settings.ts';
import type { View } from './view-script.ts';

const run = promisify(execFile);

/** A checkout belongs to us, and git refuses to look at other users' repositories. */
const GIT_CONFIG = '[safe]\n\tdirectory = *\n';

/** Writes the settings that builds need into a side's home: which registry our npm asks, but no token. */
export async function fillHome(home: string): Promise<void> {
	await writeFile(join(home, '.gitconfig'), GIT_CONFIG);
	for (const [path, keys] of Object.entries(PUBLIC_SETTINGS)) {
		const ours = (path === '.npmrc' && npmSettings()) || join(homedir(), path);
		const shown = publicSettings(await readOr(ours), keys);
		if (shown === '') continue;
		await mkdir(dirname(join(home, path)), { recursive: true });
		await writeFile(join(home, path), shown);
	}
}

/** Where our npm was told to look instead of in our home, as by actions/setup-node. */
function npmSettings(): string | undefined {
	return process.env.NPM_CONFIG_USERCONFIG || process.env.npm_config_userconfig;
}

/** Of a folder that git keeps a repository in: there are many below, and no configuration. */
const WITHOUT_CONFIG = ['objects', 'refs', 'logs', 'hooks', 'info', 'lfs'];

/**
 * Returns what is to be seen in place of the configurations of a repository, its submodules and worktrees, where the token of
 * actions/checkout stands, written into `folder`; nothing for those that hold no secrets.
 */
export async function maskGitConfig(repository: string | null | undefined, folder: string): Promise<View['masks']> {
	if (!repository) return [];
	const masks: { path: string; by: string }[] = [];
	for (const path of await findConfigs(await realpath(repository))) {
		const text = await readOr(path);
		const shown = publicGitConfig(text);
		if (shown === text) continue;
		const by = join(folder, `gitconfig-${masks.length + 1}`);
		await writeFile(by, shown);
		await chmod(by, 0o644);
		masks.push({ path, by });
	}
	return masks;
}

/** Where tokens lie that an earlier step of a job, or somebody by hand, has put beside the code, by the names that programs look for. */
const SECRET_FILES = [
	...['.npmrc', '.yarnrc', '.yarnrc.yml', '.netrc', '.pypirc', '.git-credentials', '.env*'],
	...['*.pem', '*.key', 'gha-creds-*.json'],
];
/** More are not somebody's secrets; each is a mount. */
const MOST_SECRETS = 100;

/**
 * Returns what is to be seen in place of the files with secrets at the top of the checkout that a repository lies in, other than those
 * in its commits, which are no secret: nothing. `repository` is git's folder; other checkouts of it are not looked at.
 */
export async function maskSecretFiles(repository: string | null | undefined, folder: string): Promise<View['masks']> {
	if (!repository || basename(repository) !== '.git') return [];
	const checkout = await realpath(dirname(repository));
	const files = await listUntracked(checkout, SECRET_FILES);
	if (files.length === 0) return [];
	const by = join(folder, 'nothing');
	await writeFile(by, '');
	await chmod(by, 0o644);
	return files.slice(0, MOST_SECRETS).map((name) => ({ path: join(checkout, name), by }));
}

/** Plain files at the top of a checkout that no commit has; none where git cannot tell. */
async function listUntracked(checkout: string, names: readonly string[]): Promise<string[]> {
	const patterns = names.map((name) => `:(top,glob)${name}`);
	try {
		const list = ['ls-files', '-z', '--others', '--directory', '--', ...patterns];
		const { stdout } = await run('git', ['-C', checkout, ...list], { timeout: QUESTION_MS });
		const untracked = new Set(stdout.split('\0'));
		const entries = await readdir(checkout, { withFileTypes: true });
		return entries.filter((entry) => entry.isFile() && untracked.has(entry.name)).map(({ name }) => name);
	} catch {
		return [];
	}
}

/** Returns the files that are named as git names its configuration, in the folder and all below; links are not followed. */
async function findConfigs(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
	const isRepository = entries.some(({ name }) => name === 'HEAD');
	const configs = entries.filter((entry) => entry.isFile() && /^config(\.worktree)?$/.test(entry.name));
	const below = entries.filter(
		(entry) => entry.isDirectory() && !(isRepository && WITHOUT_CONFIG.includes(entry.name)),
	);
	const deeper = await Promise.all(below.map(({ name }) => findConfigs(join(folder, name))));
	return [...configs.map(({ name }) => join(folder, name)), ...deeper.flat()];
}

function readOr(path: string): Promise<string> {
	return readFile(path, 'utf8').catch(() => '');
}

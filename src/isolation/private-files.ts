/** Settings for a side's home, without tokens, and masks that hide secrets beside the code. */
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { QUESTION_MS } from '../process/deadline.ts';
import { isBelow, type View } from './view-script.ts';

/** Settings for fetching packages, without secrets. */
const NPM_KEYS =
	/^(registry|@[^:=\s]+:registry|(https?-)?proxy|https-proxy|noproxy|cafile|ca(\[\])?|strict-ssl|fetch-[\w-]+|maxsockets|prefer-offline|offline|legacy-peer-deps|engine-strict|omit|include|node-options|nodedir)\s*=/;

/** Matches a password in a URL, or a variable that may hold a password. */
const SECRET = /:\/\/[^/\s]*@|\$\{/;

/** Sections that describe the repository and not how to get into another one. */
const GIT_SECTIONS = /^\s*\[(core|extensions|remote|branch|submodule)\b/i;

const SECTION = /^\s*\[/;

/** Package managers' settings below a home, each with the lines that foreign code may see. */
export const PUBLIC_SETTINGS: Readonly<Record<string, RegExp>> = {
	'.npmrc': NPM_KEYS,
	'.yarnrc': /^(registry|strict-ssl|cafile|(https?-)?proxy|network-timeout)\s/,
	'.yarnrc.yml': /^(npmRegistryServer|httpProxy|httpsProxy|httpsCaFilePath|caFilePath|enableStrictSsl|httpTimeout)\s*:/,
	'.config/pip/pip.conf': /^(\[(global|install)\]$|(index-url|extra-index-url|trusted-host|cert|proxy|timeout)\s*=)/,
	'.config/go/env': /^(GOPROXY|GOSUMDB|GONOSUMDB|GONOSUMCHECK|GOPRIVATE|GOINSECURE|GOTOOLCHAIN)=/,
};

const run = promisify(execFile);

/** We own the checkouts, and git refuses repositories of other users. */
const GIT_CONFIG = '[safe]\n\tdirectory = *\n';

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

/** A file of settings outside our home, such as that of actions/setup-node. */
function npmSettings(): string | undefined {
	return process.env.NPM_CONFIG_USERCONFIG || process.env.npm_config_userconfig;
}

/** Folders with many files but no configuration. */
const WITHOUT_CONFIG = ['objects', 'refs', 'logs', 'hooks', 'info', 'lfs'];

/**
 * Writes masks into `folder` and returns them. They replace configurations of a repository, its submodules and
 * worktrees that contain secrets, such as actions/checkout's token.
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

/** Names under which programs look for tokens; an earlier step or a person may have left such files. */
const SECRET_FILES = [
	...['.npmrc', '.yarnrc', '.yarnrc.yml', '.netrc', '.pypirc', '.git-credentials', '.env*'],
	...['*.pem', '*.key', 'gha-creds-*.json'],
];
/** Skipped: keys in published packages are not secret, and the search is slow. */
const FOREIGN_FOLDERS = ['node_modules', 'site-packages'];
/** Limited: each mask is a mount, and more matches are not secrets. */
const MOST_SECRETS = 100;
/** Limited: searching a checkout starts a program. */
const MOST_CHECKOUTS = 20;

/**
 * Returns masks that empty the uncommitted secret files in a repository's checkouts. `repository` is git's folder.
 * Skips `cache`, which holds the sides' own files.
 */
export async function maskSecretFiles(
	repository: string | null | undefined,
	folder: string,
	cache: string,
): Promise<View['masks']> {
	if (!repository) return [];
	const ours = await realpath(cache);
	const checkouts = (await listCheckouts(repository)).filter((path) => path !== ours && !isBelow(path, ours));
	const filesByCheckout = await Promise.all(checkouts.slice(0, MOST_CHECKOUTS).map(findSecretFiles));
	// Checkouts can be nested, so a file may occur twice.
	const files = [...new Set(filesByCheckout.flat())].filter((path) => !isBelow(path, ours));
	if (files.length === 0) return [];
	const by = join(folder, 'nothing');
	await writeFile(by, '');
	await chmod(by, 0o644);
	const depth = (path: string) => path.split('/').length;
	const nearest = files.toSorted((a, b) => depth(a) - depth(b));
	return nearest.slice(0, MOST_SECRETS).map((path) => ({ path, by }));
}

/** The main checkout first. Empty for a submodule, whose git folder is outside its checkout. */
async function listCheckouts(repository: string): Promise<string[]> {
	const { stdout } = await askGit(repository, ['worktree', 'list', '--porcelain']);
	const linked = stdout.split('\n').flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));
	const listed = [...(basename(repository) === '.git' ? [dirname(repository)] : []), ...linked];
	const real = await Promise.all(listed.map((path) => realpath(path).catch(() => null)));
	return [...new Set(real.filter((path) => path !== null))];
}

/** Returns untracked files; in a checkout that is too large, only those at its top level. */
async function findSecretFiles(checkout: string): Promise<string[]> {
	const patterns = (place: string) => SECRET_FILES.map((name) => `:(glob)${place}${name}`);
	const others = ['ls-files', '-z', '--others'];
	const without = FOREIGN_FOLDERS.flatMap((name) => ['--exclude', name]);
	const everywhere = await askGit(checkout, [...others, ...without, '--', ...patterns('**/')]);
	const { stdout } = everywhere.succeeded
		? everywhere
		: await askGit(checkout, [...others, '--directory', '--', ...patterns('')]);
	const names = stdout.split('\0').filter((name) => name !== '');
	const isSecret = await Promise.all(names.map((name) => holdsSecret(join(checkout, name), name.includes('/'))));
	return names.filter((_, at) => isSecret[at]).map((name) => join(checkout, name));
}

/** A deep `.pem` file counts only with a private key: programs load public certificates there. */
async function holdsSecret(path: string, isDeep: boolean): Promise<boolean> {
	if (!(await lstat(path).catch(() => null))?.isFile()) return false;
	return !(isDeep && path.endsWith('.pem')) || (await readOr(path)).includes('PRIVATE KEY');
}

async function askGit(folder: string, args: readonly string[]): Promise<{ succeeded: boolean; stdout: string }> {
	try {
		const { stdout } = await run('git', ['-C', folder, ...args], { timeout: QUESTION_MS });
		return { succeeded: true, stdout };
	} catch {
		return { succeeded: false, stdout: '' };
	}
}

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

export function publicSettings(text: string, keys: RegExp): string {
	const lines = text.split('\n').map((line) => line.trimEnd());
	return lines
		.filter((line) => keys.test(line) && !SECRET.test(line))
		.map((line) => `${line}\n`)
		.join('');
}

/** Drops sections and URLs that hold secrets or lead to them. */
export function publicGitConfig(text: string): string {
	let shown = true;
	const keep = (line: string) => {
		if (SECTION.test(line)) shown = GIT_SECTIONS.test(line);
		return shown && !SECRET.test(line);
	};
	return text.split('\n').filter(keep).join('\n');
}

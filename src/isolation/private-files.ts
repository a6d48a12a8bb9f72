/** Settings that a side's user needs in its home, without tokens. */
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { QUESTION_MS } from '../process/deadline.ts';
import { isBelow, type View } from './view-script.ts';

/** The part of a user's settings that builds may know. */

/** Keys of npm's settings that say where packages come from and how they are fetched; none of them is a secret. */
const NPM_KEYS =
	/^(registry|@[^:=\s]+:registry|(https?-)?proxy|https-proxy|noproxy|cafile|ca(\[\])?|strict-ssl|fetch-[\w-]+|maxsockets|prefer-offline|offline|legacy-peer-deps|engine-strict|omit|include|node-options|nodedir)\s*=/;

/** What would show a password: in an address, or as a variable that holds one. */
const SECRET = /:\/\/[^/\s]*@|\$\{/;

/** Sections of a repository's configuration that builds may know: what the repository is, not how one gets into another. */
const GIT_SECTIONS = /^\s*\[(core|extensions|remote|branch|submodule)\b/i;

const SECTION = /^\s*\[/;

/** Files below a home that say where package managers fetch from, and the lines of them that builds of foreign code may know. */
export const PUBLIC_SETTINGS: Readonly<Record<string, RegExp>> = {
	'.npmrc': NPM_KEYS,
	'.yarnrc': /^(registry|strict-ssl|cafile|(https?-)?proxy|network-timeout)\s/,
	'.yarnrc.yml': /^(npmRegistryServer|httpProxy|httpsProxy|httpsCaFilePath|caFilePath|enableStrictSsl|httpTimeout)\s*:/,
	'.config/pip/pip.conf': /^(\[(global|install)\]$|(index-url|extra-index-url|trusted-host|cert|proxy|timeout)\s*=)/,
	'.config/go/env': /^(GOPROXY|GOSUMDB|GONOSUMDB|GONOSUMCHECK|GOPRIVATE|GOINSECURE|GOTOOLCHAIN)=/,
};

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
/** Where others keep what they publish: keys in there are nobody's secrets, and searching it takes long. */
const FOREIGN_FOLDERS = ['node_modules', 'site-packages'];
/** More are not somebody's secrets; each is a mount. */
const MOST_SECRETS = 100;
/** More checkouts of one repository are not searched: each takes a program. */
const MOST_CHECKOUTS = 20;

/**
 * Returns what is to be seen in place of the files with secrets in the checkouts of a repository, other than those in its commits, which
 * are no secret: nothing. `repository` is git's folder. What lies in `cache` is left: the sides' own files do.
 */
export async function maskSecretFiles(
	repository: string | null | undefined,
	folder: string,
	cache: string,
): Promise<View['masks']> {
	if (!repository) return [];
	const ours = await realpath(cache);
	const checkouts = (await listCheckouts(repository)).filter((path) => path !== ours && !isBelow(path, ours));
	const found = await Promise.all(checkouts.slice(0, MOST_CHECKOUTS).map(findSecretFiles));
	// A checkout may lie in another one.
	const files = [...new Set(found.flat())].filter((path) => !isBelow(path, ours));
	if (files.length === 0) return [];
	const by = join(folder, 'nothing');
	await writeFile(by, '');
	await chmod(by, 0o644);
	const depth = (path: string) => path.split('/').length;
	const nearest = files.toSorted((a, b) => depth(a) - depth(b));
	return nearest.slice(0, MOST_SECRETS).map((path) => ({ path, by }));
}

/** Real paths of the checkouts of a repository, the one it lies in first; none of a submodule's, whose folder is not in its checkout. */
async function listCheckouts(repository: string): Promise<string[]> {
	const { stdout } = await askGit(repository, ['worktree', 'list', '--porcelain']);
	const linked = stdout.split('\n').flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));
	const listed = [...(basename(repository) === '.git' ? [dirname(repository)] : []), ...linked];
	const real = await Promise.all(listed.map((path) => realpath(path).catch(() => null)));
	return [...new Set(real.filter((path) => path !== null))];
}

/** Paths of plain files with secrets in a checkout that no commit has; those of its top alone where there is too much below. */
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

/** Whether a file of such a name is to be masked. Certificates that lie somewhere in a checkout are public, and programs load them. */
async function holdsSecret(path: string, isDeep: boolean): Promise<boolean> {
	if (!(await lstat(path).catch(() => null))?.isFile()) return false;
	return !(isDeep && path.endsWith('.pem')) || (await readOr(path)).includes('PRIVATE KEY');
}

/** What git says of a folder; nothing where it cannot tell. */
async function askGit(folder: string, args: readonly string[]): Promise<{ succeeded: boolean; stdout: string }> {
	try {
		const { stdout } = await run('git', ['-C', folder, ...args], { timeout: QUESTION_MS });
		return { succeeded: true, stdout };
	} catch {
		return { succeeded: false, stdout: '' };
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

/** Returns the lines that builds may know of a user's settings; `keys` says which. */
export function publicSettings(text: string, keys: RegExp): string {
	const lines = text.split('\n').map((line) => line.trimEnd());
	return lines
		.filter((line) => keys.test(line) && !SECRET.test(line))
		.map((line) => `${line}\n`)
		.join('');
}

/** Returns a repository's configuration without sections and addresses that hold or lead to secrets. */
export function publicGitConfig(text: string): string {
	let shown = true;
	const keep = (line: string) => {
		if (SECTION.test(line)) shown = GIT_SECTIONS.test(line);
		return shown && !SECRET.test(line);
	};
	return text.split('\n').filter(keep).join('\n');
}

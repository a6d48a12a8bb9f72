import { stat } from 'node:fs/promises';
import { isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { asList, asMapping } from '../../config/file/check-scenario.ts';
import { readYaml } from '../../config/file/read-yaml.ts';
import { LARGEST_CONFIG_BYTES } from '../../config/load-committed.ts';
import {
	CONFIG_NAMES,
	type ConfigText,
	findConfig as findInFolder,
	onlyConfig,
	readConfigText,
} from '../../config/load-config.ts';
import { loadCommittedData } from '../../config/load-data.ts';
import { runGit } from '../../prepare/revision/git.ts';
import { parseRevision } from '../../prepare/revision/parse-revision.ts';
import { isUserError, UserError } from '../../types/errors.ts';
import type { Side, Sides } from '../../types/units.ts';
import { fetchCommits, findHash, isHere } from '../commits/fetch-commits.ts';
import { ask, type GitAccess } from '../commits/git-access.ts';

/** Finds the position of a scenario in head's config. */
export type FindLine = (scenario: string) => { readonly path: string; readonly line: number } | null;

/** `path` is relative to the repository, and null outside of it, where annotations are impossible. */
interface PlacedText extends ConfigText {
	readonly path: string | null;
}

export interface FoundConfig {
	readonly text: PlacedText | null;
	/** Value for `--config` in a clone. */
	readonly flag?: string | undefined;
	/** False for npm packages, because they have no config. */
	readonly searched: boolean;
	/** Set for two configs, or one that is not a plain file. Never set for head, because its faults end the run. */
	readonly refusal?: UserError;
}

export interface FoundConfigs extends Sides<FoundConfig> {
	/** Config at base's commit, if `base` is from the target branch's tip instead. */
	readonly mergeBase?: FoundConfig;
	readonly shared: boolean;
	/** Name of an uncommitted config that no input names: the change's code may have written it. */
	readonly ignored?: string;
}

export interface ConfigPlaces {
	readonly file: string | undefined;
	readonly revisions: Sides<string>;
	/** Full hash of the target branch's tip; if null, base's own config is used. */
	readonly tip: string | null;
}

/** These faults of base's config must not block its repair. */
const REFUSALS = ['two-configs', 'unreadable-config'];

/**
 * Returns the unparsed config of both sides: the input `config`, else `benchgate.yml` or `.yaml` at the top; base's at
 * the target branch's tip, if any. A file only in the workspace is `shared`.
 *
 * @throws UserError if the named file is no file, or head has two configs; `commit-missing`.
 */
export async function findConfigs(access: GitAccess, places: ConfigPlaces): Promise<FoundConfigs> {
	const { file, revisions, tip } = places;
	const path =
		file === undefined ? undefined : relative(access.workspace, resolve(access.workspace, file)).split(sep).join('/');
	const outside = path !== undefined && (path.startsWith('../') || isAbsolute(path));
	if (!outside) {
		const findAtBase = () => findConfig(access, path, 'base', revisions.base);
		const base = await settle(tip === null ? findAtBase() : findAtCommit(access, path, 'base', tip));
		const head = await findConfig(access, path, 'head', revisions.head);
		const elsewhere = tip !== null && (await findHash(revisions.base, 'base', access)) !== tip;
		const mergeBase = elsewhere ? await settle(findAtBase()) : undefined;
		if (base.text !== null || head.text !== null || base.refusal !== undefined) {
			return { base, head, ...(mergeBase?.searched && { mergeBase }), shared: false };
		}
	}
	const unnamed = tip !== null && file === undefined ? await findInFolder(access.workspace) : undefined;
	if (unnamed !== undefined) {
		const none = { text: null, searched: true };
		return { base: none, head: none, shared: true, ignored: unnamed };
	}
	const read = await readConfigText(access.workspace, file);
	const sharedConfig = { text: read && { ...read, path: null }, flag: read?.name, searched: true };
	return { base: sharedConfig, head: sharedConfig, shared: true };
}

async function settle(finding: Promise<FoundConfig>): Promise<FoundConfig> {
	try {
		return await finding;
	} catch (error) {
		if (!isUserError(error) || !REFUSALS.includes(error.code)) throw error;
		return { text: null, searched: true, refusal: error };
	}
}

async function findConfig(
	access: GitAccess,
	path: string | undefined,
	side: Side,
	revision: string,
): Promise<FoundConfig> {
	const folder = await folderOf(access, side, revision);
	if (folder !== null) {
		const text = await readFolder(access, folder, path);
		return {
			text,
			flag: text === null ? undefined : relative(access.workspace, resolve(folder, text.name)),
			searched: true,
		};
	}
	const sha = await findHash(revision, side, access);
	return sha === null ? { text: null, searched: false } : findAtCommit(access, path, side, sha);
}

async function findAtCommit(
	access: GitAccess,
	path: string | undefined,
	side: Side,
	sha: string,
): Promise<FoundConfig> {
	if (!(await isHere(access, sha))) await fetchCommits([{ sha, side }], access);
	const text = await readCommit(access, side, sha, path === undefined ? CONFIG_NAMES : [path]);
	return { text, flag: text === null ? undefined : `git:${sha}:${text.path}`, searched: true };
}

async function folderOf(access: GitAccess, side: Side, revision: string): Promise<string | null> {
	const { kind, value } = parseRevision(revision, side);
	const folder = resolve(access.workspace, value);
	const isFolder = await stat(folder).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
	return isFolder && (kind === 'dir' || kind === null) ? folder : null;
}

async function readFolder(access: GitAccess, folder: string, path: string | undefined): Promise<PlacedText | null> {
	const exists = path === undefined || (await stat(resolve(folder, path)).catch(() => null)) !== null;
	const read = exists ? await readConfigText(folder, path) : null;
	if (read === null || read === undefined) return null;
	const place = await placeInRepository(access, relative(access.workspace, resolve(folder, read.name)));
	return { ...read, path: place.startsWith('../') ? null : place };
}

/** @param path Relative to the workspace, which may be a folder of the repository. */
async function placeInRepository(access: GitAccess, path: string): Promise<string> {
	const prefix = (await ask(access, 'rev-parse', '--show-prefix')) ?? '';
	return posix.join(prefix, path.split(sep).join('/'));
}

async function readCommit(
	access: GitAccess,
	side: Side,
	sha: string,
	paths: readonly string[],
): Promise<PlacedText | null> {
	const where = `${side} ${sha.slice(0, 7)}`;
	// Without --full-tree and --full-name, git takes and prints paths relative to the workspace.
	const listed = await runGit(access, access.workspace, ['ls-tree', '-l', '-z', sha, '--', ...paths]);
	const entries = listed.stdout.split('\0').flatMap((line) => {
		const match = /^(\d+) (\w+) ([0-9a-f]+) +(\S+)\t(.+)$/s.exec(line);
		return match === null
			? []
			: [{ mode: match[1], hash: match[3] ?? '', bytes: Number(match[4]), path: match[5] ?? '' }];
	});
	const path = onlyConfig(
		entries.map((entry) => entry.path),
		where,
	);
	const entry = entries.find((candidate) => candidate.path === path);
	if (path === undefined || entry === undefined) return null;
	const name = `${path} at ${where}`;
	if (!entry.mode?.startsWith('100') || entry.bytes > LARGEST_CONFIG_BYTES) {
		throw new UserError({
			code: 'unreadable-config',
			where: name,
			message: entry.mode?.startsWith('100')
				? 'the config is larger than a megabyte'
				: 'the config is not a plain file',
			remedy: 'commit the config as a plain file of at most a megabyte, not as a link or a folder',
		});
	}
	const git = async (args: readonly string[]) => (await runGit(access, access.workspace, args)).stdout;
	const text = await git(['cat-file', 'blob', entry.hash]);
	return {
		name,
		path: await placeInRepository(access, path),
		text,
		data: await loadCommittedData(git, { ref: sha, path }, text),
	};
}

/**
 * Returns a function that finds a line: of the scenario's entry, else of the list of scenarios (a group may contain
 * it), else 1. It returns null without a config or for invalid YAML.
 */
export function findLines(config: Pick<PlacedText, 'name' | 'text' | 'path'> | null): FindLine {
	const path = config?.path ?? null;
	if (config === null || path === null) return () => null;
	try {
		const source = readYaml(config.text, config.name);
		const items = asList(asMapping(source.value).scenarios);
		const names = items.map((item) => (typeof item === 'string' ? item : asMapping(item).name));
		return (scenario) => {
			const index = names.indexOf(scenario);
			return { path, line: source.lineOf(index < 0 ? ['scenarios'] : ['scenarios', index]) };
		};
	} catch {
		// The parser reports these faults elsewhere.
		return () => null;
	}
}

import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isKernelSince } from './isolation-facts.ts';
import type { ViewFacts } from './plan-view.ts';
import { findToolHomes } from './side-user.ts';
import { isBelow } from './view-script.ts';

export interface ViewRequest {
	readonly folder: string;
	readonly needed: readonly string[];
	readonly node?: string;
	readonly repository?: string | null;
	readonly temporary: string;
	readonly masks: ViewFacts['masks'];
	readonly swaps?: ViewFacts['swaps'];
	/** Folders that are writable besides temporary ones, as far as permissions allow. */
	readonly writable: readonly string[];
	readonly processes: 'own-namespace' | 'shared';
}

/** First kernel where hidepid affects only one mount of /proc. */
const OWN_PROC_OPTIONS = [5, 8] as const;
const STAGES = ['/mnt', '/media', '/srv', '/boot', '/opt', '/home'];
const TEMPORARY = ['/tmp', '/var/tmp'];
/** Links followed per PATH folder; more were not made by hand. */
const MOST_LINKS = 500;

export function collectViewFacts(request: ViewRequest): ViewFacts {
	const { temporary, masks, swaps = [] } = request;
	const { node = process.execPath, repository } = request;
	const programs = toolFolders([dirname(node), dirname(realpathSync(node)), ...pathFolders()], homedir());
	const tools = [...programs, ...Object.values(findToolHomes())];
	const paths = existing([...request.needed, ...(repository ? [repository] : []), ...tools, request.folder]).filter(
		(path) => path !== '/',
	);
	const writable = existing(request.writable);
	const processes = canHideProcesses() ? 'of-user' : 'visible';
	return {
		hidden: existing([
			homedir(),
			...accountHome(),
			...(process.env.RUNNER_TEMP === undefined ? [] : [process.env.RUNNER_TEMP]),
		]).filter((path) => path !== '/'),
		needed: paths.filter((path) => !writable.includes(path)),
		closed: [...paths, ...writable].flatMap(closedAncestor),
		writable,
		temporary,
		temporaryPlaces: existing([...TEMPORARY, tmpdir()]),
		memoryPlaces: existing(['/dev/shm']),
		masks,
		swaps,
		stages: existing(STAGES),
		processes: request.processes === 'own-namespace' ? 'of-namespace' : processes,
	};
}

/** Home of our account. HOME may differ from it, and in some containers our user id has no account. */
function accountHome(): string[] {
	try {
		return [userInfo().homedir];
	} catch {
		return [];
	}
}

export function canHideProcesses(): boolean {
	return isKernelSince(OWN_PROC_OPTIONS);
}

/**
 * Returns the folders of programs on PATH. For a `bin` below our home it returns the parent, which holds libraries, but
 * never the home or a folder with other contents.
 */
export function toolFolders(folders: readonly string[], home: string): string[] {
	const mixed = [home, join(home, '.local'), join(home, '.cargo'), '/', ...TEMPORARY];
	const allFolders = [
		...folders,
		...folders.flatMap((folder) => (isBelow(folder, home) || isTemporary(folder) ? linkedFolders(folder) : [])),
	];
	return allFolders
		.filter((folder) => !mixed.includes(folder) && !isBelow(home, folder))
		.map((folder) => {
			const parent = dirname(folder);
			return /\/(\.?bin|shims)$/.test(folder) && !mixed.includes(parent) && !isBelow(home, parent) ? parent : folder;
		});
}

/** Returns where links in a folder lead, because package managers link their programs. */
function linkedFolders(folder: string): string[] {
	const links = readdirOr(folder).filter((entry) => entry.isSymbolicLink());
	return [...new Set(links.slice(0, MOST_LINKS).flatMap(({ name }) => realFolder(join(folder, name))))];
}

function readdirOr(folder: string): Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}

function realFolder(path: string): string[] {
	try {
		return [dirname(realpathSync(path))];
	} catch {
		// The link is broken.
		return [];
	}
}

function isTemporary(folder: string): boolean {
	return TEMPORARY.some((place) => isBelow(folder, place));
}

function pathFolders(): string[] {
	return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
}

/** Outermost ancestor that other users cannot enter. */
function closedAncestor(path: string): string[] {
	const parts = path.split('/').slice(1, -1);
	const ancestors = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
	const closed = ancestors.find((folder) => ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) === 0);
	return closed === undefined ? [] : [closed];
}

function existing(paths: readonly string[]): string[] {
	return [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
}

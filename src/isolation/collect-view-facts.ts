import { type Dirent, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isKernelSince } from './kernel.ts';
import type { ViewFacts } from './plan-view.ts';
import { findToolHomes } from './side-user.ts';
import { isBelow } from './view-script.ts';

export interface ViewRequest {
	/** Folder everything is built in. */
	readonly folder: string;
	readonly needed: readonly string[];
	readonly node?: string;
	readonly repository?: string | null;
	/** Temporary folder of this side. */
	readonly temporary: string;
	readonly masks: ViewFacts['masks'];
	/** None when absent. */
	readonly swaps?: ViewFacts['swaps'];
	/** What the side may write besides its temporary files, as far as permissions let it. */
	readonly writable: readonly string[];
	/** Whether the view is in a process namespace of its own. */
	readonly processes: 'own-namespace' | 'shared';
}

/** First kernel where hiding processes in one mount of /proc leaves the others alone. */
const OWN_PROC_OPTIONS = [5, 8] as const;
const STAGES = ['/mnt', '/media', '/srv', '/boot', '/opt', '/home'];
const TEMPORARY = ['/tmp', '/var/tmp'];
/** Of one folder on PATH; more are no programs somebody installed by hand. */
const MOST_LINKS = 500;

/** Returns what a side's view of this machine is planned from. */
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

/** The home of our account, which HOME need not name; none where our number has no account, as in some containers. */
function accountHome(): string[] {
	try {
		return [userInfo().homedir];
	} catch {
		return [];
	}
}

/** Whether this kernel can hide processes in one mount of /proc without touching the others. */
export function canHideProcesses(): boolean {
	return isKernelSince(OWN_PROC_OPTIONS);
}

/**
 * Returns the folders that programs on PATH live in: of a `bin` below our home its parent, where their libraries are, but
 * never our home itself or what is kept there besides programs.
 */
export function toolFolders(folders: readonly string[], home: string): string[] {
	const mixed = [home, join(home, '.local'), join(home, '.cargo'), '/', ...TEMPORARY];
	const known = [
		...folders,
		...folders.flatMap((folder) => (isBelow(folder, home) || isTemporary(folder) ? linkedFolders(folder) : [])),
	];
	return known
		.filter((folder) => !mixed.includes(folder) && !isBelow(home, folder))
		.map((folder) => {
			const parent = dirname(folder);
			return /\/(\.?bin|shims)$/.test(folder) && !mixed.includes(parent) && !isBelow(home, parent) ? parent : folder;
		});
}

/** Where the programs are that a folder only links to, as package managers do. */
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
		// It leads nowhere.
		return [];
	}
}

function isTemporary(folder: string): boolean {
	return TEMPORARY.some((place) => isBelow(folder, place));
}

function pathFolders(): string[] {
	return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
}

/** The outermost folder on the way that other users cannot enter. */
function closedAncestor(path: string): string[] {
	const parts = path.split('/').slice(1, -1);
	const ancestors = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`);
	const closed = ancestors.find((folder) => ((statSync(folder, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) === 0);
	return closed === undefined ? [] : [closed];
}

function existing(paths: readonly string[]): string[] {
	return [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
}

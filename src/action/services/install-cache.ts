import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findNode } from '../../measure/find-node.ts';
import { nodeVersion } from '../../measure/machine.ts';
import { readBuiltins } from '../../prepare/builtin-servers.ts';
import { LATE, within } from '../../process/deadline.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import type { Config } from '../../types/config.ts';
import type { Sides, Warning } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';

/** What a run installs, for the key of the cache. */
interface Installs {
	readonly config: Config;
	readonly revisions: Sides<string>;
	/** Whether somebody chose a revision by hand. */
	readonly revisionsGiven: boolean;
	/** Whether it is a pull request of somebody who need not have write access. */
	readonly fromFork: boolean;
}

/** Where entries survive between workflow runs. */
export interface CacheStore {
	/** Restores the newest entry of `key`, else of what begins with a restore key, in their order; returns its key. */
	restore(paths: readonly string[], key: string, restoreKeys: readonly string[]): Promise<string | undefined>;
	save(paths: readonly string[], key: string): Promise<void>;
}

/** What is kept under which name. */
export interface CachePlan {
	readonly paths: readonly string[];
	readonly key: string;
	readonly restoreKeys: readonly string[];
	readonly mayRestore: boolean;
	/** Why this run may not save; null when it may. */
	readonly readOnly: string | null;
	/** `Date.now()` of the plan: entries not used since are not saved again. */
	readonly startedAt: number;
}

export interface CachePlanOptions {
	readonly cacheFolder: string;
	readonly toolVersion: string;
	/** Version of the Node that runs the servers: `v24.1.0`. */
	readonly nodeVersion: string;
	readonly platform: string;
	readonly arch: string;
	/** What is installed besides the subject: names and digests of built-in servers, the subject's folder, `prepare`. */
	readonly installs: Readonly<Record<string, unknown>>;
	/** Revision of the base side: what a later run with the same base finds again. */
	readonly base: string;
	readonly eventName: string;
	/** Whether somebody chose the revisions by hand: code of anybody may then run in a run of the default branch. */
	readonly revisionsGiven: boolean;
	/** Whether whoever wrote the pull request need not have write access. */
	readonly fromFork: boolean;
	readonly startedAt: number;
}

/**
 * The parts that are kept: packed subjects and installed servers. Not `checkouts`: they are whole repositories that custom
 * servers have written into, and cost more to move than to make.
 */
const KEPT = ['tarballs', 'workspaces'] as const;
/** Events whose entries only runs of the same trust can restore; see `planCache`. */
const SAVING_EVENTS = ['pull_request', 'push', 'schedule', 'workflow_dispatch'];
const LARGEST_BYTES = 400 * 1024 * 1024;
/** Longest wait for the service; the library it is asked by has a limit for some of its requests only. */
const SAVE_MS = 10 * 60_000;

/**
 * Returns names and paths of the entries this run restores and saves. Whoever can write an entry decides what a later run
 * executes, and nothing in an entry proves who wrote it. What protects is GitHub's scope: an entry is visible to runs of
 * the ref it was saved on, and of the default branch to everybody. A pull request's run has a ref of its own, so its entries
 * come back to itself alone; pushes and schedules run merged code. In the default branch's scope a pull request's code runs
 * only in a dispatch with revisions given, which never saves; nor does any event that is not named here. A stranger can save
 * whatever they like in the scope of their own pull request, with a workflow that is gone again in the commit that is measured:
 * base would be installed from that. So their runs use no entry at all.
 */
export function planCache(options: CachePlanOptions): CachePlan {
	const { cacheFolder, nodeVersion, platform, arch, toolVersion, installs, base } = options;
	const major = nodeVersion.replace(/^v/, '').split('.')[0];
	const prefix = `benchgate-${toolVersion}-${platform}-${arch}-node${major}-${digest(installs)}-`;
	return {
		paths: KEPT.map((kind) => join(cacheFolder, kind)),
		key: `${prefix}${digest(base)}`,
		restoreKeys: [prefix],
		mayRestore: !options.fromFork,
		readOnly: whyReadOnly(options),
		startedAt: options.startedAt,
	};
}

/** Restores what an earlier run saved, and returns its key; undefined when there was none, or none may be used. A failure is a warning. */
export async function restoreInstalls(
	store: CacheStore,
	plan: CachePlan,
): Promise<{ readonly key: string | undefined; readonly warnings: readonly Warning[] }> {
	if (!plan.mayRestore) return { key: undefined, warnings: [] };
	try {
		return { key: await store.restore(plan.paths, plan.key, plan.restoreKeys), warnings: [] };
	} catch (error) {
		// Half of an entry is no entry: markers are told from contents by time, not by order in an archive.
		await Promise.all(plan.paths.map((path) => rm(path, { recursive: true, force: true }).catch(() => {})));
		return { key: undefined, warnings: [unavailable('restored', error)] };
	}
}

/**
 * Saves what this run used, unless it was restored under this very key, may not be saved, or is too large. Entries it did
 * not use, logs and locks are removed first. Returns a warning when saving failed, else null.
 */
export async function saveInstalls(
	store: CacheStore,
	plan: CachePlan,
	restored: string | undefined,
	progress: { step(text: string): void },
	patienceMs = SAVE_MS,
): Promise<Warning | null> {
	if (restored === plan.key) return null;
	if (plan.readOnly !== null) {
		progress.step(`Installed packages are not cached: ${plan.readOnly}`);
		return null;
	}
	try {
		await keepUsed(plan);
		const bytes = await sizeOf(plan.paths);
		if (bytes === 0) return null;
		if (bytes > LARGEST_BYTES) {
			progress.step(
				`Installed packages are not cached: ${inMegabytes(bytes)} are more than ${inMegabytes(LARGEST_BYTES)}`,
			);
			return null;
		}
		// Nothing has been said of the comparison yet: a service that does not answer must not keep it from being told.
		if ((await within(patienceMs, store.save(plan.paths, plan.key))) !== LATE) return null;
		return unavailable('saved', new Error(`the service had not taken them after ${patienceMs / 1000} s`));
	} catch (error) {
		return unavailable('saved', error);
	}
}

function whyReadOnly({ eventName, revisionsGiven, fromFork }: CachePlanOptions): string | null {
	if (fromFork) return 'a pull request from a fork could put anything into the cache';
	if (!SAVING_EVENTS.includes(eventName)) return `runs of ${eventName} must not leave code for later runs`;
	if (eventName !== 'pull_request' && revisionsGiven) return 'base or head was given by hand';
	return null;
}

/** A marker's time is the entry's last use; what has no marker is incomplete. */
async function keepUsed({ paths, startedAt }: CachePlan): Promise<void> {
	for (const folder of paths) {
		const names = await readdir(folder).catch(() => []);
		const markers = names.filter((name) => name.endsWith('.json'));
		const used = new Set<string>();
		for (const marker of markers) {
			// File systems and clocks may round: a second more keeps nothing that matters.
			if ((await stat(join(folder, marker))).mtimeMs >= startedAt - 1000) used.add(marker.replace(/\.json$/, ''));
		}
		for (const name of names) {
			const isKept = used.has(name) || (name.endsWith('.json') && used.has(name.replace(/\.json$/, '')));
			if (!isKept) await rm(join(folder, name), { recursive: true, force: true });
		}
	}
}

async function sizeOf(folders: readonly string[]): Promise<number> {
	let bytes = 0;
	for (const folder of folders) {
		for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
			if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
		}
	}
	return bytes;
}

function unavailable(what: string, error: unknown): Warning {
	return {
		code: 'cache-unavailable',
		message: `Installed packages could not be ${what}, so this or a later run installs them again: ${(error as Error).message}`,
	};
}

function inMegabytes(bytes: number): string {
	return `${Math.round(bytes / 1024 / 1024)} MB`;
}

function digest(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/**
 * Measures with what earlier runs installed, and keeps what this one did. Without a cache service it just measures. `isWhole`:
 * whether what was measured means that everything was installed.
 */
export async function keepInstalls<T>(
	session: ActionSession,
	store: CacheStore | null,
	installs: Installs,
	measure: () => Promise<T>,
	isWhole: (measured: T) => boolean,
): Promise<T> {
	if (store === null) return measure();
	const { subject, servers, prepare } = installs.config;
	const builtins = new Map((await readBuiltins(TOOL_ROOT, servers)).map(({ name, digest }) => [name, digest]));
	const plan = planCache({
		cacheFolder: cacheFolderOf(session),
		toolVersion: toolVersion(),
		nodeVersion: nodeVersion(findNode(session.inputs.options.node)),
		platform: process.platform,
		arch: process.arch,
		installs: { subject, prepare, servers: servers.map(({ name }) => [name, builtins.get(name)]) },
		base: installs.revisions.base,
		eventName: session.runner.eventName,
		revisionsGiven: installs.revisionsGiven,
		fromFork: installs.fromFork,
		startedAt: Date.now(),
	});
	const restored = await restoreInstalls(store, plan);
	session.warnings.push(...restored.warnings);
	const measured = await measure();
	// An entry cannot be changed later, so only a run that installed everything makes one.
	if (isWhole(measured)) {
		const warning = await saveInstalls(store, plan, restored.key, session.progress);
		if (warning !== null) session.warnings.push(warning);
	}
	return measured;
}

import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findNode, nodeVersion } from '../../measure/machine.ts';
import { readBuiltins } from '../../prepare/builtin-servers.ts';
import { LATE, within } from '../../process/deadline.ts';
import { TOOL_ROOT } from '../../process/entries.ts';
import type { Config } from '../../types/config.ts';
import type { Sides, Warning } from '../../types/units.ts';
import { toolVersion } from '../../version.ts';
import { type ActionSession, cacheFolderOf } from '../action-session.ts';

interface Installs {
	readonly config: Config;
	readonly revisions: Sides<string>;
	readonly revisionsGiven: boolean;
	/** The author of the change may lack write access. */
	readonly fromFork: boolean;
}

export interface CacheStore {
	/** Restores the newest entry of `key`, else of the first matching prefix, and returns its key. */
	restore(paths: readonly string[], key: string, restoreKeys: readonly string[]): Promise<string | undefined>;
	save(paths: readonly string[], key: string): Promise<void>;
}

export interface CachePlan {
	readonly paths: readonly string[];
	readonly key: string;
	readonly restoreKeys: readonly string[];
	readonly mayRestore: boolean;
	/** Why this run may not save, or null. */
	readonly readOnly: string | null;
	/** Time by `Date.now()`. Entries unused since then are not saved again. */
	readonly startedAt: number;
}

export interface CachePlanOptions {
	readonly cacheFolder: string;
	readonly toolVersion: string;
	/** `v24.1.0`. */
	readonly nodeVersion: string;
	readonly platform: string;
	readonly arch: string;
	/** Names and digests of built-in servers, subject folder, and `prepare`. */
	readonly installs: Readonly<Record<string, unknown>>;
	/** Later runs with the same base share the entry. */
	readonly base: string;
	readonly eventName: string;
	/** If revisions were chosen by hand, any code may run on the default branch. */
	readonly revisionsGiven: boolean;
	readonly fromFork: boolean;
	readonly startedAt: number;
}

/** `checkouts` is left out: whole repositories with files of custom servers cost more to transfer than to recreate. */
const KEPT = ['tarballs', 'workspaces'] as const;
/** Only runs of equal trust can restore the entries that these events save; see `planCache`. */
const SAVING_EVENTS = ['pull_request', 'push', 'schedule', 'workflow_dispatch'];
const LARGEST_BYTES = 400 * 1024 * 1024;
/** The cache library limits the time of some requests only. */
const SAVE_MS = 10 * 60_000;

/**
 * Returns keys and paths to restore and save. An entry decides which code later runs execute. A run sees entries of its
 * own ref and the default branch, where a pull request's code runs only in a dispatch with given revisions, which never
 * saves. Forks use no cache: a stranger could save what base is installed from.
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

/** Returns the restored entry's key; undefined if there is none or it is not allowed. A failure becomes a warning. */
export async function restoreInstalls(
	store: CacheStore,
	plan: CachePlan,
): Promise<{ readonly key: string | undefined; readonly warnings: readonly Warning[] }> {
	if (!plan.mayRestore) return { key: undefined, warnings: [] };
	try {
		return { key: await store.restore(plan.paths, plan.key, plan.restoreKeys), warnings: [] };
	} catch (error) {
		// A partly restored entry could look complete, if the archive has its marker first.
		await Promise.all(plan.paths.map((path) => rm(path, { recursive: true, force: true }).catch(() => {})));
		return { key: undefined, warnings: [unavailable('restored', error)] };
	}
}

/**
 * Saves the entries that this run used, unless they were restored under the same key, are too large or may not be
 * saved. First removes unused entries, logs and locks. Returns a warning on failure.
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
		// The result is not published yet, so the wait is limited.
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

/** A marker's mtime is the time of the last use. An entry without a marker is incomplete. */
async function keepUsed({ paths, startedAt }: CachePlan): Promise<void> {
	for (const folder of paths) {
		const names = await readdir(folder).catch(() => []);
		const markers = names.filter((name) => name.endsWith('.json'));
		const used = new Set<string>();
		for (const marker of markers) {
			// File systems and clocks may round, so allow 1 s.
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
 * Runs `measure` between restoring and saving, if there is a cache service. `isWhole` returns whether everything was
 * installed.
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
	// A saved entry cannot be changed, so only complete ones are saved.
	if (isWhole(measured)) {
		const warning = await saveInstalls(store, plan, restored.key, session.progress);
		if (warning !== null) session.warnings.push(warning);
	}
	return measured;
}

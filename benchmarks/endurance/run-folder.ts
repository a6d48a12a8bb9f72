/** The folder that one run of the endurance test has to itself, and what may stay in it. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY_KINDS } from '../../src/prepare/cache.ts';
import { runGit, type TinyFramework } from '../../test/support/act/tiny-framework.ts';

/** Where a disk may be full: one of the folders, or everything. */
export const PLACES = ['cache', 'temporary', 'out', ''] as const;
export type Place = (typeof PLACES)[number];

export interface RunFolder {
	readonly path: string;
	/** A clone of the repository, at the merge commit. */
	readonly work: string;
	readonly cache: string;
	/** TMPDIR. */
	readonly temporary: string;
	/** Files the run was asked for. */
	readonly out: string;
	readonly home: string;
	/** Files of the runner, which clears them itself. */
	readonly runner: string;
}

/** Makes the folder at `path`, which may exist and be empty; a folder that exists in it already, as a disk does, is kept. */
export function fillRunFolder(path: string, tiny: Pick<TinyFramework, 'folder'>, merge: string): RunFolder {
	const at = (name: string) => join(path, name);
	for (const name of ['cache', 'temporary', 'out', 'home', 'runner']) mkdirSync(at(name), { recursive: true });
	cpSync(tiny.folder, at('work'), { recursive: true });
	runGit(at('work'), 'checkout', '--quiet', '--detach', merge);
	const [work, cache, temporary] = [at('work'), at('cache'), at('temporary')];
	return { path, work, cache, temporary, out: at('out'), home: at('home'), runner: at('runner') };
}

/** Name of the file that fills a disk. */
export const BALLAST = 'ballast';

const ENTRY = /^[0-9a-f]{64}$/;
/** Folders of a run's own things, in which nothing of it stays. */
const EMPTIED = ['logs', 'sides', 'store'];
const BUILD_LOG = new RegExp(`^(?:${ENTRY_KINDS.join('|')})-[0-9a-f]{64}\\.log$`);

/**
 * Returns what lies there and should not: temporary files, worktrees, changes in the repository, and in the cache everything but
 * complete entries and logs. `halfMade` allows what a failed build leaves to be looked at.
 */
export function findFiles(folder: RunFolder, { halfMade }: { readonly halfMade: boolean }): string[] {
	const { temporary, out, work } = folder;
	const worktrees = runGit(work, 'worktree', 'list', '--porcelain').split('\n\n').slice(1);
	const status = runGit(work, 'status', '--porcelain').split('\n');
	return [
		...listed(temporary).map((name) => `temporary file ${name}`),
		...listed(out)
			.filter((name) => !/^[a-z-]+\.(json|zip)$/.test(name))
			.map((name) => `output ${name}`),
		...worktrees.map((text) => `worktree ${text.split('\n')[0]}`),
		...status.filter((line) => line !== '').map((line) => `change ${line}`),
		...listed(join(work, '.git'))
			.filter((name) => name.endsWith('.lock'))
			.map((name) => `git's ${name}`),
		...findCached(folder, halfMade),
	];
}

function findCached({ cache }: RunFolder, halfMade: boolean): string[] {
	const known: readonly string[] = [...ENTRY_KINDS, ...EMPTIED];
	const strange = listed(cache).filter((name) => !known.includes(name));
	const emptied = EMPTIED.flatMap((name) => {
		// Logs of builds are kept to be read; those of servers go with their run.
		const inside = listed(join(cache, name)).filter((one) => name !== 'logs' || !BUILD_LOG.test(one));
		return inside.map((one) => `${name}/${one}`);
	});
	const entries = ENTRY_KINDS.flatMap((kind) => {
		const names = listed(join(cache, kind));
		const isWhole = (name: string) =>
			/^[0-9a-f]{64}\.(json|log)$/.test(name) || (ENTRY.test(name) && (halfMade || names.includes(`${name}.json`)));
		return names.filter((name) => !isWhole(name)).map((name) => `${kind}/${name}`);
	});
	return [...strange, ...emptied, ...entries].map((name) => `in the cache ${name}`);
}

function listed(folder: string): string[] {
	return existsSync(folder) ? readdirSync(folder).filter((name) => name !== BALLAST) : [];
}

export function removeRunFolder({ path }: Pick<RunFolder, 'path'>): void {
	rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

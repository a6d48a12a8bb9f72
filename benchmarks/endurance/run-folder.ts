/** The folder of one run of the endurance test, and the files that may remain in it. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENTRY_KINDS } from '../../src/prepare/cache.ts';
import { runGit, type TinyFramework } from '../../test/support/act/tiny-framework.ts';

/** Folders on which the small disk is mounted; '' is the whole run folder. */
export const PLACES = ['cache', 'temporary', 'out', ''] as const;
export type Place = (typeof PLACES)[number];

export interface RunFolder {
	readonly path: string;
	/** A clone of the repository, at the merge commit. */
	readonly work: string;
	readonly cache: string;
	/** TMPDIR. */
	readonly temporary: string;
	/** Output files of the run. */
	readonly out: string;
	readonly home: string;
	/** Files of the runner, which removes them itself. */
	readonly runner: string;
}

/** Fills the folder at `path`, which may exist and hold only an empty folder, such as a mounted disk. */
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
/** Folders that a run must leave empty. */
const EMPTIED = ['logs', 'sides', 'store'];
const BUILD_LOG = new RegExp(`^(?:${ENTRY_KINDS.join('|')})-[0-9a-f]{64}\\.log$`);

/**
 * Returns files that should be gone: temporary files, worktrees, changes in the repository, and in the cache everything
 * except complete entries and logs. `halfMade` allows the remains of a failed build.
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
	const expected: readonly string[] = [...ENTRY_KINDS, ...EMPTIED];
	const strange = listed(cache).filter((name) => !expected.includes(name));
	const emptied = EMPTIED.flatMap((name) => {
		// Build logs stay for readers; logs of servers go with their run.
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

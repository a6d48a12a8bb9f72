import { execa } from 'execa';
import { QUESTION_MS } from '../../process/deadline.ts';
import { startJanitor } from '../../process/janitor.ts';
import { openStore, readStorePlace, type StorePlace } from '../../store/open-store.ts';
import type { ReadOptions, Store, StoredBaselines } from '../../store/store.ts';
import { shellWord } from '../../text/escape.ts';
import { UserError } from '../../types/errors.ts';
import type { Janitor } from '../../types/run-services.ts';
import { DEFAULT_STORE } from '../../types/shared-names.ts';
import { findCacheFolder } from '../measuring.ts';
import { renderUnread } from './render-baselines.ts';

export interface StoreFlags {
	readonly store: string;
}

export interface LocalStoreOptions {
	readonly cwd: string;
	/** As typed. */
	readonly store: string;
	readonly janitor: Pick<Janitor, 'guardDirectory'>;
	readonly signal?: AbortSignal;
}

/** Returns the flag that names a store other than the default, after a space. */
export function storeFlag({ store }: StoreFlags): string {
	return store === DEFAULT_STORE ? '' : ` --store ${shellWord(store)}`;
}

/** Opens the store on `origin`, else in the current repository itself. */
export async function openLocalStore({ cwd, store, janitor, signal }: LocalStoreOptions): Promise<Store> {
	const place = readLocalPlace(store);
	const [remote, author] = await Promise.all([findRemote(cwd), findAuthor(cwd)]);
	return openStore({
		...{ place, cwd, remote, author },
		defaultBranch: null,
		cacheFolder: findCacheFolder(),
		environment: process.env,
		janitor,
		...(signal && { signal }),
	});
}

export function readLocalPlace(store: string): StorePlace {
	const place = readStorePlace(store);
	if (place !== null && place.kind !== 'pull-request') return place;
	throw new UserError({
		code: 'bad-store',
		where: '--store',
		message: `"${store}" is not a place for baselines`,
		remedy: `use branch:NAME (${DEFAULT_STORE} by default) or dir:PATH`,
	});
}

async function findRemote(cwd: string): Promise<{ readonly url: string; readonly name: string } | null> {
	const url = await ask(cwd, 'remote', 'get-url', 'origin');
	if (url) return { url, name: 'origin' };
	const folder = await ask(cwd, 'rev-parse', '--absolute-git-dir');
	return folder ? { url: folder, name: 'this repository' } : null;
}

async function findAuthor(cwd: string): Promise<{ readonly name: string; readonly email: string }> {
	const settings = (await ask(cwd, 'config', '--get-regexp', '^user\\.(name|email)$')).split('\n');
	// Git lists all values of a key, and the last counts.
	const settingOf = (key: string) => settings.findLast((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
	return { name: settingOf('user.name') || 'benchgate', email: settingOf('user.email') || 'benchgate@localhost' };
}

async function ask(cwd: string, ...args: string[]): Promise<string> {
	const { stdout } = await execa('git', args, { cwd, reject: false, timeout: QUESTION_MS });
	return String(stdout ?? '').trim();
}

export async function withStore<T>({ store }: StoreFlags, use: (store: Store) => Promise<T>): Promise<T> {
	const janitor = await startJanitor();
	try {
		return await use(await openLocalStore({ cwd: process.cwd(), store, janitor }));
	} finally {
		await janitor.close();
	}
}

export async function readStore(flags: StoreFlags, wanted: ReadOptions = {}): Promise<StoredBaselines> {
	return withStore(flags, async (store) => {
		const read = await store.read(wanted);
		process.stderr.write(renderUnread(read.unread, store.name));
		return read;
	});
}

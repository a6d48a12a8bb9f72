import { startJanitor } from '../../process/janitor.ts';
import type { ReadOptions, Store, StoredBaselines } from '../../store/store.ts';
import { openLocalStore } from './open-local-store.ts';
import { renderUnread } from './render-baselines.ts';

/** The flag every command around the store has. */
export interface StoreFlags {
	readonly store: string;
}

/** Gives the store that a flag names to `use`; what it made on the machine is gone afterwards. */
export async function withStore<T>({ store }: StoreFlags, use: (store: Store) => Promise<T>): Promise<T> {
	const janitor = await startJanitor();
	try {
		return await use(await openLocalStore({ cwd: process.cwd(), store, janitor }));
	} finally {
		await janitor.close();
	}
}

/** Returns what is in the store, or the newest of it, and names on standard error what could not be read. */
export async function readStore(flags: StoreFlags, wanted: ReadOptions = {}): Promise<StoredBaselines> {
	return withStore(flags, async (store) => {
		const read = await store.read(wanted);
		process.stderr.write(renderUnread(read.unread, store.name));
		return read;
	});
}

import { EXIT } from '../../types/errors.ts';
import { readLimit } from './read-limit.ts';
import { newestFirst, renderBaselineList } from './render-baselines.ts';
import { readStore, type StoreFlags } from './with-store.ts';

/** Flags of `benchgate baseline list`. */
export interface ListFlags extends StoreFlags {
	readonly limit: string;
	readonly json?: boolean;
}

/** Prints the baselines of the store, newest first. */
export async function runBaselineList(flags: ListFlags): Promise<number> {
	const limit = readLimit(flags.limit);
	const { records } = await readStore(flags);
	const text = flags.json
		? `${JSON.stringify(newestFirst(records).slice(0, limit), null, 2)}\n`
		: renderBaselineList(records, limit);
	process.stdout.write(text);
	return EXIT.passed;
}

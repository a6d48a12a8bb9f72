import { trendOf } from '../../trend/trend-of.ts';
import { EXIT } from '../../types/errors.ts';
import { readLimit } from './read-limit.ts';
import { newestFirst, renderBaselineList } from './render-baselines.ts';
import { renderStandings } from './render-standings.ts';
import { readStore, type StoreFlags } from './with-store.ts';

/** Flags of `benchgate baseline list`. */
export interface ListFlags extends StoreFlags {
	readonly limit: string;
	readonly json?: boolean;
	/** Where each row stands, in place of the records. */
	readonly rows?: boolean;
}

/** Prints the baselines of the store, newest first, or where each row stands. */
export async function runBaselineList(flags: ListFlags): Promise<number> {
	const limit = readLimit(flags.limit);
	const { records, notes } = await readStore(flags);
	if (flags.rows) process.stdout.write(renderStandings(trendOf(records, { notes }), records));
	else if (flags.json) process.stdout.write(`${JSON.stringify(newestFirst(records).slice(0, limit), null, 2)}\n`);
	else process.stdout.write(renderBaselineList(records, limit));
	return EXIT.passed;
}

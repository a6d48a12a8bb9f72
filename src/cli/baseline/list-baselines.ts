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
	if (flags.rows) {
		const { records, notes } = await readStore(flags);
		process.stdout.write(renderStandings(trendOf(records, { notes }), records));
		return EXIT.passed;
	}
	const { records, older = 0 } = await readStore(flags, { newest: limit });
	const text = flags.json ? `${JSON.stringify(newestFirst(records), null, 2)}\n` : renderBaselineList(records, older);
	process.stdout.write(text);
	return EXIT.passed;
}

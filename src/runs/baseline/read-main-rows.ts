import type { Store } from '../../store/store.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { mainRows } from '../../trend/main-rows.ts';
import { trendOf } from '../../trend/trend-of.ts';
import type { BaselineRecord } from '../../types/baseline.ts';
import { isUserError } from '../../types/errors.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { Warning } from '../../types/units.ts';

export interface MainReading {
	/** Empty without a store or baselines. */
	readonly rows: readonly MainRow[];
	/** Baselines with coverage. */
	readonly covered: readonly BaselineRecord[];
	readonly warnings: readonly Warning[];
}

export const NO_BASELINES: MainReading = { rows: [], covered: [], warnings: [] };

/**
 * Returns the state of the main branch. An unreadable store is only a warning. `open` returns null without a store.
 * Throws only once `signal` aborted.
 */
export async function readMainRows(
	open: () => Promise<Store | null>,
	signal: AbortSignal | undefined,
): Promise<MainReading> {
	try {
		const store = await open();
		if (store === null) return NO_BASELINES;
		const { records, unread } = await store.read();
		const [first] = unread;
		return {
			rows: mainRows(trendOf(records)),
			covered: records.filter(({ coverage }) => coverage !== undefined),
			warnings: first
				? [warnOf('Not all', `${countOf(unread.length, 'file')} left out, such as ${first.file}: ${first.why}`)]
				: [],
		};
	} catch (error) {
		signal?.throwIfAborted();
		const { message } = error as Error;
		return { ...NO_BASELINES, warnings: [warnOf('No', (isUserError(error) && error.details) || message)] };
	}
}

function warnOf(quantity: 'No' | 'Not all', why: string): Warning {
	const reason = plainText(why, MESSAGE_LIMIT).replace(/\.$/, '');
	return { code: 'baselines-unread', message: `${quantity} baselines of the main branch could be read: ${reason}.` };
}

import type { Store } from '../../store/store.ts';
import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { mainRows } from '../../trend/main-rows.ts';
import { trendOf } from '../../trend/trend-of.ts';
import { isUserError } from '../../types/errors.ts';
import type { MainRow } from '../../types/main-baselines.ts';
import type { Warning } from '../../types/units.ts';

export interface MainReading {
	/** Empty without a store or baselines. */
	readonly rows: readonly MainRow[];
	readonly warnings: readonly Warning[];
}

export const NO_BASELINES: MainReading = { rows: [], warnings: [] };

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
			warnings: first
				? [warnOf('Not all', `${countOf(unread.length, 'file')} left out, such as ${first.file}: ${first.why}`)]
				: [],
		};
	} catch (error) {
		signal?.throwIfAborted();
		const { message } = error as Error;
		return { rows: [], warnings: [warnOf('No', (isUserError(error) && error.details) || message)] };
	}
}

function warnOf(quantity: 'No' | 'Not all', why: string): Warning {
	const reason = plainText(why, MESSAGE_LIMIT).replace(/\.$/, '');
	return { code: 'baselines-unread', message: `${quantity} baselines of the main branch could be read: ${reason}.` };
}

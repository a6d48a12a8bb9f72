import { BUSY_CPU, BUSY_WINDOWS } from '../../src/stats/guards.ts';
import type { Disturbed, Results } from '../results.ts';
import type { Series } from '../series.ts';

/**
 * Returns how many windows other processes disturbed, by the limits of the warning `busy-machine`: in total, and of
 * each series that would have had that warning. Series that measure two pairs at once are left out, because each
 * disturbs the other.
 */
export function disturbed(series: readonly Series[]): Results['data']['disturbed'] {
	const counts = series.filter(({ experiment }) => experiment !== 'together').map(countOf);
	const sum = (read: (one: Disturbed) => number) => counts.reduce((total, one) => total + read(one), 0);
	return {
		windows: sum(({ windows }) => windows),
		of: sum(({ of }) => of),
		series: counts
			.filter(({ windows, of }) => windows > BUSY_WINDOWS * of)
			.toSorted((a, b) => a.id.localeCompare(b.id)),
	};
}

function countOf({ id, rounds }: Series): Disturbed {
	const shares = rounds.flatMap(({ cells }) =>
		cells.flatMap(({ windows }) => windows.flatMap(({ otherCpu }) => otherCpu ?? [])),
	);
	return { id, windows: shares.filter((share) => share > BUSY_CPU).length, of: shares.length };
}

/** How two servers that were each loaded alone compare, from the requests per second of their rounds. */
import type { MeasureRow, Ranged } from '../../types/ranking/measure.ts';
import { logShareOf, ratioOf } from '../log-share.ts';

/**
 * Returns how many times as many requests per second one server answers as the other, with its 95 % interval: Welch's t on the
 * logarithms of their rounds. Null where one of them has less than two rounds.
 */
export function aloneRatio(
	one: Pick<MeasureRow, 'throughputs'>,
	other: Pick<MeasureRow, 'throughputs'>,
): Ranged | null {
	const [a, b] = [one, other].map(({ throughputs }) =>
		throughputs.length < 2 ? null : logShareOf(throughputs.map(Math.log), []),
	);
	return a && b ? ratioOf(a, b) : null;
}

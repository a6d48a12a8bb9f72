/** Whether a side puts work off until the other one is loaded, where windows alternate. */
import { countedWindows, poolTotals, sideOf } from '../stats/windows.ts';
import type { CellRound } from '../types/round.ts';
import { type Fraction, otherSide, type Side, type Warning } from '../types/units.ts';
import { warn } from './warnings.ts';

/**
 * Returns the warning that head used more CPU than base while nothing was asked of it, by so much that more than `tolerance` (log units)
 * of a drop may be hidden: `put-off`. What a side does then it does not do in its own windows, and it takes the CPU from the other one's.
 * Null where that is not so, and where nobody can tell. Source: docs/statistics.md 6.2.
 */
export function putOffOf(cellRounds: readonly CellRound[], tolerance: number): Warning | null {
	const [base, head] = [restOf(cellRounds, 'base'), restOf(cellRounds, 'head')];
	if (base === null || head === null || head.gain - base.gain <= Math.abs(tolerance)) return null;
	return warn('put-off', { base: base.used, head: head.used });
}

/** CPU of a side at rest, as a share of one CPU, and what it gains by that at most, log units; null where it is not known. */
function restOf(
	cellRounds: readonly CellRound[],
	side: Side,
): { readonly used: Fraction; readonly gain: number } | null {
	const windows = cellRounds.flatMap((cellRound) => countedWindows(cellRound));
	const during = sideOf(windows, otherSide(side));
	const used = during.flatMap(({ restingCpuSeconds }) => restingCpuSeconds ?? []);
	const { seconds } = poolTotals(during);
	const { cpuSeconds: loaded, seconds: own } = poolTotals(sideOf(windows, side));
	if (during.length === 0 || used.length < during.length || !loaded || seconds === 0 || own === 0) return null;
	const share = used.reduce((sum, one) => sum + Math.max(0, one), 0) / seconds;
	// Its own windows would have had to do this too, and the other side would have had that much more of the CPU.
	return { used: share, gain: Math.log1p(share / (loaded / own)) - Math.log1p(-Math.min(share, 0.99)) };
}

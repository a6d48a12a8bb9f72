/** Work that a side defers: until the load is over, or until the other side is loaded. */
import { mean } from 'simple-statistics';
import { summariseGuards } from '../stats/guards.ts';
import { countedWindows, poolTotals, sideOf } from '../stats/windows.ts';
import type { CellRound } from '../types/round.ts';
import { type Fraction, otherSide, SIDES, type Side, type Warning } from '../types/units.ts';
import { SATURATED } from './judging-metric.ts';
import type { Sample } from './looks/samples.ts';
import { warn } from './warnings.ts';

/** A smaller share of the cost under load is background activity, such as garbage collection and timers, and no deferred work. */
const LEAST_SHARE: Fraction = 0.01;

/**
 * Returns the samples of a cell with the work after the load charged to the answers that caused it: d of CPU per request falls by ln(1 + a)
 * of head minus that of base, where a is the work per answer as a share of an answer's cost under load. Throughput falls by as much if the
 * servers had no CPU to spare. Deferred work of base alone is no gain for head, which may defer the same for longer than the wait. Unchanged
 * if no side defers 1 % or more on average. A round without this measurement is charged the mean of the others; so are alternating windows,
 * for which `watched` are the rounds of the duet. Source: docs/statistics.md 6.13.
 */
export function chargeAfterwork(samples: readonly Sample[], watched = samples): readonly Sample[] {
	const known = watched.flatMap(({ afterwork: { base, head } }) =>
		base === null || head === null ? [] : { base, head },
	);
	if (!SIDES.some((side) => doesPutOff(known, side))) return samples;
	const lossOf = ({ base, head }: { readonly base: Fraction; readonly head: Fraction }) =>
		Math.max(0, Math.log1p(head) - Math.log1p(base));
	const usual = mean(known.map(lossOf));
	const { serverUtilisation, fixedRate } = summariseGuards(
		watched.map(({ cellRound }) => cellRound),
		[],
	);
	const isBusy = fixedRate === undefined && (serverUtilisation ?? 1) >= SATURATED;
	return samples.map((sample) => {
		const { d, afterwork } = sample;
		const { base, head } = afterwork;
		const loss = base === null || head === null ? usual : lossOf({ base, head });
		const less = (value: number | null) => (value === null ? null : value - loss);
		const cpu = less(d['cpu-per-request']);
		return { ...sample, d: { ...d, 'cpu-per-request': cpu, ...(isBusy && { throughput: less(d.throughput) }) } };
	});
}

function doesPutOff(known: readonly { readonly [S in Side]: Fraction }[], side: Side): boolean {
	return known.length > 0 && mean(known.map((shares) => shares[side])) >= LEAST_SHARE;
}

/** Returns the note `work-after-load` with the share of each side; empty if no side defers work. */
export function afterworkNotes(samples: readonly Sample[]): readonly Warning[] {
	const known = samples.flatMap(({ afterwork: { base, head } }) =>
		base === null || head === null ? [] : { base, head },
	);
	if (!SIDES.some((side) => doesPutOff(known, side))) return [];
	const shareOf = (side: Side) => mean(known.map((shares) => shares[side]));
	return [warn('work-after-load', { base: shareOf('base'), head: shareOf('head') })];
}

/**
 * Returns the warning that head was still working when the wait after the load ended, and base was not, or less: the amount of head's
 * deferred work is then unknown, and may hide a drop of more than `tolerance` (log units). Null otherwise.
 */
function unfinishedOf(cellRounds: readonly CellRound[], tolerance: number): Warning | null {
	const waited = cellRounds.filter(({ afterwork }) => afterwork?.base != null && afterwork.head != null);
	if (waited.length === 0) return null;
	const windows = waited.flatMap((cellRound) => countedWindows(cellRound));
	const leftOf = (side: Side) => {
		const { cpuSeconds, seconds } = poolTotals(sideOf(windows, side));
		const used = mean(waited.map(({ afterwork }) => afterwork?.[side]?.unfinished ?? 0));
		return { used, gain: cpuSeconds === null || cpuSeconds === 0 ? 0 : Math.log1p((used * seconds) / cpuSeconds) };
	};
	const [base, head] = [leftOf('base'), leftOf('head')];
	if (head.gain - base.gain <= Math.abs(tolerance)) return null;
	return warn('unfinished-work', { base: base.used, head: head.used });
}

/**
 * Returns the warning that head used more CPU than base while nothing was asked of it, by so much that more than `tolerance` (log units)
 * of a drop may be hidden: `put-off`. What a side does then it does not do in its own windows, and it takes the CPU from the other one's.
 * Null where that is not so, and where nobody can tell. Source: docs/statistics.md 6.2.
 */
export function putOffOf(cellRounds: readonly CellRound[], tolerance: number): Warning | null {
	const unfinished = unfinishedOf(cellRounds, tolerance);
	if (unfinished !== null) return unfinished;
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

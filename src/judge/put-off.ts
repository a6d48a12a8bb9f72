/** Work deferred until the load ends, or until the other side is loaded. */
import { mean } from 'simple-statistics';
import { summariseGuards } from '../stats/guards.ts';
import { countedWindows, poolTotals, sideOf } from '../stats/windows.ts';
import type { CellRound } from '../types/round.ts';
import { type Fraction, otherSide, SIDES, type Side, type Warning } from '../types/units.ts';
import { SATURATED } from './judging-metric.ts';
import type { Sample } from './looks/samples.ts';
import { warn } from './warnings.ts';

/** A smaller share is background activity, such as garbage collection. */
const LEAST_SHARE: Fraction = 0.01;

/**
 * Returns the samples of a cell, charging work after the load to the answers. Nothing changes below 1 % on both sides.
 * Unmeasured samples are charged the mean of `watched`, the duet's rounds. Source: docs/statistics.md 6.13.
 */
export function chargeAfterwork(samples: readonly Sample[], watched = samples): readonly Sample[] {
	const afterworkFractions = watched.flatMap(({ afterwork: { base, head } }) =>
		base === null || head === null ? [] : { base, head },
	);
	if (!SIDES.some((side) => doesPutOff(afterworkFractions, side))) return samples;
	const lossOf = ({ base, head }: { readonly base: Fraction; readonly head: Fraction }) =>
		Math.max(0, Math.log1p(head) - Math.log1p(base));
	const usual = mean(afterworkFractions.map(lossOf));
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

function doesPutOff(afterworkFractions: readonly { readonly [S in Side]: Fraction }[], side: Side): boolean {
	return afterworkFractions.length > 0 && mean(afterworkFractions.map((shares) => shares[side])) >= LEAST_SHARE;
}

export function afterworkNotes(samples: readonly Sample[]): readonly Warning[] {
	const afterworkFractions = samples.flatMap(({ afterwork: { base, head } }) =>
		base === null || head === null ? [] : { base, head },
	);
	if (!SIDES.some((side) => doesPutOff(afterworkFractions, side))) return [];
	const shareOf = (side: Side) => mean(afterworkFractions.map((shares) => shares[side]));
	return [warn('work-after-load', { base: shareOf('base'), head: shareOf('head') })];
}

/**
 * A warning if head's deferred work outlasted the wait: its amount is then unknown and may hide a drop of more
 * than `tolerance` (log units).
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
 * Returns the warning `put-off` if head's CPU use at rest may hide a drop of more than `tolerance` (log units), because
 * it relieves head's windows and burdens base's. Null if not, or if unknown. Source: docs/statistics.md 6.2.
 */
export function putOffOf(cellRounds: readonly CellRound[], tolerance: number): Warning | null {
	const unfinished = unfinishedOf(cellRounds, tolerance);
	if (unfinished !== null) return unfinished;
	const [base, head] = [restOf(cellRounds, 'base'), restOf(cellRounds, 'head')];
	if (base === null || head === null || head.gain - base.gain <= Math.abs(tolerance)) return null;
	return warn('put-off', { base: base.used, head: head.used });
}

/** `used`: CPUs used at rest. `gain`: the most that the side can gain by that, in log units. */
function restOf(
	cellRounds: readonly CellRound[],
	side: Side,
): { readonly used: Fraction; readonly gain: number } | null {
	const windows = cellRounds.flatMap((cellRound) => countedWindows(cellRound));
	const during = sideOf(windows, otherSide(side));
	const used = during.flatMap(({ restingCpuSeconds }) => restingCpuSeconds ?? []);
	const { seconds } = poolTotals(during);
	const { cpuSeconds: loaded, seconds: sideSeconds } = poolTotals(sideOf(windows, side));
	if (during.length === 0 || used.length < during.length || !loaded || seconds === 0 || sideSeconds === 0) return null;
	const share = used.reduce((sum, one) => sum + Math.max(0, one), 0) / seconds;
	// The side's own windows lack this work, and the other side lacks this CPU time.
	return { used: share, gain: Math.log1p(share / (loaded / sideSeconds)) - Math.log1p(-Math.min(share, 0.99)) };
}

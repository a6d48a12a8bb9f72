/** Faults and warnings of a cell from its guards. */
import { median } from 'simple-statistics';
import { isCountedByTime, largestCountError } from '../stats/count-error.ts';
import {
	BUSY_CPU,
	BUSY_WINDOWS,
	busyShare,
	driftWithinRounds,
	fewestAnswers,
	losesMore,
	resentShares,
	unexpectedShares,
} from '../stats/guards.ts';
import { RANKS_FROM } from '../stats/location.ts';
import { robustSdOf } from '../stats/moments.ts';
import { countedWindows, FEWEST_RESPONSES, sideOf } from '../stats/windows.ts';
import {
	type CellRound,
	type Fault,
	MOST_UNEXPECTED,
	OTHER_HEADERS,
	REACHED_FAULTS,
	START_FAULTS,
} from '../types/round.ts';
import { type Fraction, SIDES, type Side, type Warning } from '../types/units.ts';
import type { Estimate } from '../types/verdict.ts';
import { rateFaults } from './fixed-rate-faults.ts';
import type { Sample } from './looks/samples.ts';
import { warn } from './warnings.ts';

/** Limit of outliers, in robust standard deviations. */
const FAR_OUT = 3;

/**
 * Returns the faults that make a cell's numbers meaningless, the first of each side: a fault or no answers in any
 * round, too many wrong or failed answers, more lost requests than base (head only, not in a ranking), and, after
 * `fewest` main rounds, a fixed rate that was not held.
 */
export function invalidityOf(
	samples: readonly Sample[],
	fewest: number,
	{ isRanking = false } = {},
): readonly Warning[] {
	const seen = samples.flatMap(({ cellRound }) => cellRound.faults.map(warnOfLoad));
	const silent = samples.flatMap(({ rates, round }) =>
		SIDES.filter((side) => rates[side] === 0).map((side) => blame(side, warn('no-answers', { side, round }), true)),
	);
	const shares = unexpectedShares(samples.map((sample) => sample.cellRound));
	const wrong = SIDES.filter((side) => shares[side] > MOST_UNEXPECTED).map((side) =>
		blame(side, warn('unexpected-answers', { side, share: shares[side] }), false),
	);
	const all = samples.map(({ cellRound }) => cellRound);
	const lost = !isRanking && losesMore(all) ? [blame('head', warn('lost-requests', resentShares(all)), false)] : [];
	const main = samples.flatMap(({ cellRound }) => (cellRound.purpose === 'main' ? cellRound : []));
	return firstFaults([...seen, ...withoutReached(seen, [...silent, ...wrong, ...lost, ...rateFaults(main, fewest)])]);
}

/** Drops faults of a side that the other side may have caused by a flood. */
function withoutReached(seen: readonly Warning[], faults: readonly Warning[]): readonly Warning[] {
	const culprits = seen.flatMap(({ side, code }) => (side && REACHED_FAULTS.includes(code) ? side : []));
	return faults.filter(({ side }) => culprits.length === 0 || !side || culprits.includes(side));
}

/**
 * Returns the first fault of each side, else the first fault. If the attacking side is unknown, faults of base do not
 * count.
 */
export function firstFaults<F extends Pick<Warning, 'side' | 'code'>>(faults: readonly F[]): readonly F[] {
	const reached = faults.filter(({ side, code }) => !side && REACHED_FAULTS.includes(code));
	const relevantFaults = reached.length > 0 ? faults.filter(({ side }) => side !== 'base') : faults;
	const sideFaults = relevantFaults.filter(
		({ side }, at) => side && relevantFaults.findIndex((other) => other.side === side) === at,
	);
	if (sideFaults.length > 0) return sideFaults;
	return (reached.length > 0 ? reached : relevantFaults).slice(0, 1);
}

/** Returns a fault as a warning of its row. `once`: the side had worked before. */
export function warnOfFault({ code, message, side }: Fault, once: boolean): Warning {
	return side === null ? { code, message } : blame(side, { code, message }, once);
}

/** A failed start was retried at once, so the side never worked. A loaded server had worked. */
function warnOfLoad(fault: Fault): Warning {
	return warnOfFault(fault, !START_FAULTS.includes(fault.code));
}

function blame(side: Side, warning: Warning, once: boolean): Warning {
	return { ...warning, side, ...(once && { once }) };
}

/** `tolerance` is D0. */
export function cellWarnings(cellRounds: readonly CellRound[], tolerance: Fraction): readonly Warning[] {
	const fewest = fewestAnswers(cellRounds);
	const drift = driftWithinRounds(cellRounds);
	const windows = cellRounds.flatMap(countedWindows);
	const parts = SIDES.flatMap((side) => sideOf(windows, side));
	const isFew = fewest !== null && fewest < FEWEST_RESPONSES && !isCountedByTime(parts);
	const counted = largestCountError(cellRounds);
	const resent = resentShares(cellRounds);
	const isWarming = drift !== null && Math.abs(drift) > -Math.log1p(-tolerance);
	return [
		...remarkWarnings(cellRounds),
		...(isFew ? [warn('few-responses', { fewest, wanted: FEWEST_RESPONSES })] : []),
		...(counted > -Math.log1p(-tolerance) ? [warn('whole-answers', { error: Math.expm1(counted) })] : []),
		...(Math.max(resent.base, resent.head) > MOST_UNEXPECTED ? [warn('resent-requests', resent)] : []),
		...(isWarming ? [warn('still-warming', { drift: Math.abs(Math.expm1(drift)) })] : []),
	];
}

/** The first remark of each code: in other rounds only figures differ. */
function remarkWarnings(cellRounds: readonly CellRound[]): readonly Warning[] {
	const remarks = Map.groupBy(
		cellRounds.flatMap((cellRound) => cellRound.remarks ?? []),
		({ code }) => code,
	);
	return [...remarks.values()].flatMap(([first]) => {
		const isSeldom = first?.code === OTHER_HEADERS && 2 * roundsWith(cellRounds, OTHER_HEADERS) <= cellRounds.length;
		return first === undefined || isSeldom ? [] : [{ code: first.code, message: first.message }];
	});
}

function roundsWith(cellRounds: readonly CellRound[], code: string): number {
	return cellRounds.filter(({ remarks = [] }) => remarks.some((remark) => remark.code === code)).length;
}

/** Returns `split-rounds` if ranks are used and the sample spread is more than three times the robust spread. */
export function spreadWarnings({ metric, sd, rounds, d }: Estimate): readonly Warning[] {
	const robust = robustSdOf(d);
	if (rounds < RANKS_FROM || !(sd > FAR_OUT * robust)) return [];
	const middle = median(d as number[]);
	const farOut = d.filter((value) => Math.abs(value - middle) > FAR_OUT * robust).length;
	return [warn('split-rounds', { metric, farOut, rounds })];
}

/**
 * Returns `busy-machine` and `not-pinned`. `shared`: the servers share a database, which cannot be distinguished from
 * other programs; then `busy-database`.
 */
export function machineWarnings(cellRounds: readonly CellRound[], shared = false): readonly Warning[] {
	const windows = busyShare(cellRounds);
	const isBusy = windows !== null && windows > BUSY_WINDOWS;
	return [
		...(isBusy ? [warn(shared ? 'busy-database' : 'busy-machine', { limit: BUSY_CPU, windows })] : []),
		...(cellRounds.some((cellRound) => !cellRound.pinned) ? [warn('not-pinned', undefined)] : []),
	];
}

/** Guards: generator, CPU shares, wrong answers, drift within rounds. */
import { linearRegression, median } from 'simple-statistics';
import { type CellRound, MOST_UNEXPECTED, type Window, type WindowSide } from '../types/round.ts';
import { type Fraction, type Seconds, SIDES, type Side, type Sides } from '../types/units.ts';
import type { Guards, HeldRate } from '../types/verdict.ts';
import { windowLogRatios } from './differences.ts';
import { studentQuantile } from './distributions.ts';
import { lag1Of, momentsOf } from './moments.ts';
import { incompleteBeta } from './special-functions.ts';
import { countedWindows, poolTotals, sideOf, type Totals } from './windows.ts';

/**
 * Each tail of a two-sided t test. It is small because every row is tested: at 5 %, one run in five of six rows had a
 * false warning (docs/evaluation.md).
 */
const DRIFT_TAIL = 0.0025;
/** These levels are low, because every row is tested at every look. */
const LOSS_TAIL = 0.0001;
const MOMENTS_TAIL = 0.001;
/** Fewer rounds may be equal by chance, which makes the standard error meaningless. */
const FEWEST_ROUNDS = 3;
const LOSS_RATIO: Fraction = 0.1;
/** Limits for `busy-machine`: CPU of other processes, and share of windows above it. */
export const BUSY_CPU: Fraction = 0.05;
export const BUSY_WINDOWS: Fraction = 0.2;
/** From this share of its CPU on, the generator limits throughput. */
export const GENERATOR_LIMIT: Fraction = 0.95;

/**
 * Returns the guards over counted windows. Generator utilisation is the median over windows, CPU figures are totals
 * over totals, and `nonExpected` is that of the worse side. `d`: signed log ratios for the lag-1 autocorrelation.
 */
export function summariseGuards(cellRounds: readonly CellRound[], d: readonly number[]): Guards {
	const windows = cellRounds.flatMap(countedWindows);
	const base = poolTotals(sideOf(windows, 'base'));
	const head = poolTotals(sideOf(windows, 'head'));
	const cpu = base.cpuSeconds === null || head.cpuSeconds === null ? null : base.cpuSeconds + head.cpuSeconds;
	const fixedRate = heldRates(cellRounds);
	return {
		generatorUtilisation: windows.length === 0 ? null : median(windows.map((window) => window.generatorUtilisation)),
		serverUtilisation: utilisation(windows, cpu),
		cpuShare: cpu === null || cpu === 0 ? null : (head.cpuSeconds as number) / cpu,
		nonExpected: Math.max(...Object.values(unexpectedShares(cellRounds))),
		errors: base.errors + head.errors,
		lag1: lag1Of(d),
		...(fixedRate && { fixedRate }),
	};
}

export function unexpectedShares(cellRounds: readonly CellRound[]): Sides<Fraction> {
	const windows = cellRounds.flatMap(countedWindows);
	const shareOf = (side: Side) => shareUnexpected(poolTotals(sideOf(windows, side)));
	return { base: shareOf('base'), head: shareOf('head') };
}

/** Returns each side's share of requests that lost their connection and were sent again (counted windows). */
export function resentShares(cellRounds: readonly CellRound[]): Sides<Fraction> {
	const windows = cellRounds.flatMap(countedWindows);
	const shareOf = (side: Side) => {
		const parts = sideOf(windows, side);
		const { completed, errors } = poolTotals(parts);
		const resent = parts.reduce((sum, part) => sum + (part.resent ?? 0), 0);
		return resent === 0 ? 0 : resent / (completed + errors + resent);
	};
	return { base: shareOf('base'), head: shareOf('head') };
}

/** Whether head surely loses more requests with their connections than base. Source: docs/statistics.md 6.4. */
export function losesMore(cellRounds: readonly CellRound[]): boolean {
	const { base, head } = resentShares(cellRounds);
	if (head - base <= Math.max(MOST_UNEXPECTED, LOSS_RATIO * base)) return false;
	const shares = cellRounds.map((cellRound) => resentShares([cellRound]));
	const more = momentsOf(shares.map((share) => share.head - share.base));
	if (more !== null && more.rounds >= FEWEST_ROUNDS && more.mean > -studentQuantile(LOSS_TAIL, more.df) * more.se)
		return true;
	return base < LOSS_RATIO * head && momentsTail(cellRounds) < MOMENTS_TAIL;
}

/** The probability that head has as many moments with losses, or more, if both sides lose alike. */
function momentsTail(cellRounds: readonly CellRound[]): number {
	const windows = cellRounds.flatMap(countedWindows);
	const [base, head] = SIDES.map((side) => {
		const parts = sideOf(windows, side);
		const moments = parts.reduce((sum, part) => sum + (part.resentMoments ?? 0), 0);
		return { moments, seconds: poolTotals(parts).seconds };
	});
	if (!base || !head || head.moments === 0) return 1;
	return incompleteBeta(head.seconds / (base.seconds + head.seconds), head.moments, base.moments + 1);
}

export function fewestAnswers(cellRounds: readonly CellRound[]): number | null {
	const counts = cellRounds.flatMap((cellRound) => {
		const windows = countedWindows(cellRound);
		return windows.length === 0 ? [] : SIDES.map((side) => poolTotals(sideOf(windows, side)).completed);
	});
	return counts.length === 0 ? null : Math.min(...counts);
}

/**
 * Returns the mean drift of throughput's log ratio from first to last window of a round; null unless it is clear
 * (two-sided t test at 0.5 %) over at least 4 rounds of 3 windows.
 */
export function driftWithinRounds(cellRounds: readonly CellRound[]): number | null {
	const drift = momentsOf(cellRounds.flatMap((cellRound) => driftOf(windowLogRatios(cellRound)) ?? []));
	if (!drift || drift.rounds < 4) return null;
	return Math.abs(drift.mean) > -studentQuantile(DRIFT_TAIL, drift.df) * drift.se ? drift.mean : null;
}

export function busyShare(cellRounds: readonly CellRound[]): Fraction | null {
	const shares = cellRounds.flatMap((cellRound) => cellRound.windows).flatMap(({ otherCpu }) => otherCpu ?? []);
	return shares.length === 0 ? null : shares.filter((share) => share > BUSY_CPU).length / shares.length;
}

/** A pair that needs less than this share of its CPU gets all of it from a fair scheduler, however busy the CPU is. */
export const SATED: Fraction = 0.1;

/**
 * The used share of the CPU time available to the servers. Time of other processes or the hypervisor is not
 * idle, and must not look like a waiting server. If idle time is unknown or CPU use tiny: the share of wall time.
 */
function utilisation(windows: readonly Window[], cpu: Seconds | null): Fraction | null {
	if (cpu === null || windows.length === 0) return null;
	const wall = wallOfAll(windows);
	if (cpu < SATED * wall) return cpu / wall;
	const offered = windows.every((window) => window.serverCpuIdle !== null)
		? cpu + windows.reduce((sum, window) => sum + (window.serverCpuIdle ?? 0), 0)
		: wall;
	return offered === 0 ? null : cpu / offered;
}

export function runningShare(cellRounds: readonly CellRound[], side: Side): Fraction | null {
	const windows = cellRounds.flatMap(countedWindows);
	const { cpuSeconds } = poolTotals(sideOf(windows, side));
	const wall = wallOfAll(windows);
	return cpuSeconds === null || wall === 0 ? null : Math.min(1, cpuSeconds / wall);
}

export function idleShare(cellRounds: readonly CellRound[]): Fraction | null {
	const windows = cellRounds.flatMap(countedWindows);
	const wall = wallOfAll(windows);
	if (wall === 0 || windows.some((window) => window.serverCpuIdle === null)) return null;
	// The kernel counts in ticks, so the sum may exceed the wall time.
	return Math.min(1, windows.reduce((sum, window) => sum + (window.serverCpuIdle ?? 0), 0) / wall);
}

/**
 * Returns the share of counted time in which others used the servers' CPU: programs, guests of the host, interrupts.
 */
export function othersShare(cellRounds: readonly CellRound[]): Fraction | null {
	const windows = cellRounds.flatMap(countedWindows);
	const idle = idleShare(cellRounds);
	const sides = SIDES.flatMap((side) => sideOf(windows, side));
	const { cpuSeconds } = poolTotals(sides);
	if (idle === null || cpuSeconds === null) return null;
	return Math.max(0, 1 - idle - cpuSeconds / wallOfAll(windows));
}

/** Usual share of CPU time for interrupts and other programs. */
const USUAL_OTHERS: Fraction = 0.05;

/**
 * Returns by how much (log units) head's CPU per request could exceed its reading, if head had used all CPU time of
 * unknown processes. 0 if unknown, or with control groups, which count ended processes. Source: docs/statistics.md
 * 6.14.
 */
export function hideableCost(cellRounds: readonly CellRound[]): number {
	if (cellRounds.every(({ grouped }) => grouped)) return 0;
	const others = othersShare(cellRounds);
	const windows = cellRounds.flatMap(countedWindows);
	const { cpuSeconds } = poolTotals(sideOf(windows, 'head'));
	if (others === null || !cpuSeconds) return 0;
	return Math.log1p(Math.max(0, others - USUAL_OTHERS) / (cpuSeconds / wallOfAll(windows)));
}

/**
 * Returns the CPUs used while both sides are pinned to one, as the median over rounds; null if not pinned or unknown. A
 * duet divides both sides' CPU time by the CPU's busy time, other designs head's by its loaded time.
 */
export function cpusUsed(cellRounds: readonly CellRound[]): number | null {
	const held = cellRounds.filter((cellRound) => cellRound.held && countedWindows(cellRound).length > 0);
	if (held.length === 0) return null;
	const ratios = held.map(cpusOf);
	return ratios.includes(null) ? null : median(ratios as readonly number[] as number[]);
}

function cpusOf(cellRound: CellRound): number | null {
	const windows = countedWindows(cellRound);
	if (cellRound.design === 'duet') {
		const idle = idleShare([cellRound]);
		const { cpuSeconds } = poolTotals(SIDES.flatMap((side) => sideOf(windows, side)));
		const busy = idle === null ? 0 : wallOfAll(windows) * (1 - idle);
		return cpuSeconds === null || busy === 0 ? null : cpuSeconds / busy;
	}
	const { cpuSeconds, seconds } = poolTotals(sideOf(windows, 'head'));
	return cpuSeconds === null || seconds === 0 ? null : cpuSeconds / seconds;
}

/** Returns, by round, the log ratio of throughput in solo windows minus that in the duet. */
export function soloContradictions(cellRounds: readonly CellRound[]): readonly number[] {
	return cellRounds.flatMap((cellRound) => {
		const solo = cellRound.windows.filter(({ kind }) => kind === 'solo');
		const ratioOf = (windows: readonly Window[]) => {
			const [base, head] = SIDES.map((side) => poolTotals(sideOf(windows, side)));
			if (!base?.completed || !head?.completed) return null;
			return Math.log(head.completed / head.seconds) - Math.log(base.completed / base.seconds);
		};
		const [alone, together] = [ratioOf(solo), ratioOf(countedWindows(cellRound))];
		return alone === null || together === null ? [] : [alone - together];
	});
}

/**
 * Returns the CPUs used by programs other than servers and generator, on any CPU (1 is one CPU), including a shared
 * database.
 */
export function besideShare(cellRounds: readonly CellRound[]): Fraction | null {
	const windows = cellRounds.flatMap(countedWindows);
	if (windows.length === 0 || windows.some(({ otherCpu }) => otherCpu === null)) return null;
	return windows.reduce((sum, window) => sum + (window.otherCpu ?? 0) * wallOf(window), 0) / wallOfAll(windows);
}

export function generatorShare(cellRounds: readonly CellRound[]): Fraction | null {
	const windows = cellRounds.flatMap(countedWindows);
	const used = windows.reduce((sum, window) => sum + window.generatorCpuSeconds, 0);
	return windows.length === 0 ? null : used / wallOfAll(windows);
}

function wallOfAll(windows: readonly Window[]): Seconds {
	return windows.reduce((sum, window) => sum + wallOf(window), 0);
}

function wallOf({ kind, base, head }: Window): Seconds {
	const lengths = [base?.seconds ?? 0, head?.seconds ?? 0];
	return kind === 'duet' ? Math.max(...lengths) : (lengths[0] as number) + (lengths[1] as number);
}

function shareUnexpected({ completed, unexpected, errors }: Totals): Fraction {
	const requests = completed + errors;
	return requests === 0 ? 0 : (unexpected + errors) / requests;
}

function driftOf(ratios: readonly (number | null)[]): number | null {
	if (ratios.length < 3 || ratios.includes(null)) return null;
	const points = ratios.map((ratio, index) => [index, ratio as number]);
	return linearRegression(points).m * (ratios.length - 1);
}

/**
 * Null unless all windows are at a fixed rate. The median over rounds tolerates a stall in one round. Each window may
 * lack one answer, under way at its end.
 */
function heldRates(cellRounds: readonly CellRound[]): Sides<HeldRate> | null {
	const rounds = cellRounds.filter((cellRound) => countedWindows(cellRound).length > 0);
	if (rounds.length === 0 || !rounds.every(isRated)) return null;
	const [base, head] = SIDES.map((side) => heldRate(rounds, side)) as [HeldRate, HeldRate];
	return { base, head };
}

function isRated(cellRound: CellRound): boolean {
	const parts = SIDES.flatMap((side) => sideOf(countedWindows(cellRound), side));
	return parts.length > 0 && parts.every(({ due }) => due !== undefined);
}

function heldRate(rounds: readonly CellRound[], side: Side): HeldRate {
	const parts = rounds.map((round) => sideOf(countedWindows(round), side));
	const all = parts.flat();
	const due = sum(all, (part) => part.due ?? 0);
	const seconds = sum(all, (part) => part.seconds);
	return {
		due: seconds === 0 ? 0 : due / seconds,
		held: median(parts.map(heldShare)),
		late: due === 0 ? 0 : Math.min(1, sum(all, (part) => part.late ?? 0) / due),
	};
}

function heldShare(parts: readonly WindowSide[]): number {
	const due = sum(parts, (part) => part.due ?? 0);
	return due === 0 ? 1 : (sum(parts, (part) => part.completed) + parts.length) / due;
}

function sum(parts: readonly WindowSide[], of: (part: WindowSide) => number): number {
	return parts.reduce((total, part) => total + of(part), 0);
}

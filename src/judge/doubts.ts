/** Reasons for measuring a decided row again before its verdict counts. */
import { mean } from 'simple-statistics';
import {
	besideShare,
	cpusUsed,
	hideableCost,
	idleShare,
	othersShare,
	runningShare,
	soloContradictions,
} from '../stats/guards.ts';
import { locationOf, probabilityAbove, probabilityBelow } from '../stats/location.ts';
import { countedWindows, poolTotals, sideOf } from '../stats/windows.ts';
import type { CellRound } from '../types/round.ts';
import type { Fraction, Warning } from '../types/units.ts';
import type { Judging } from './judging-metric.ts';
import { isComplete, numbersOf } from './looks/row-looks.ts';
import { ALPHA } from './looks/sequential.ts';
import type { Row } from './row-state.ts';
import { type Claim, excludesDrop } from './rule.ts';
import { type Unseen, warn } from './warnings.ts';

/** Servers in step want the CPU at once more often than if neither knew of the other; twice the bound held in every simulation. */
const SAFETY = 2;

/** Alternating windows; more rounds; or more rounds because head may wait, which then stays with the row. */
export type Doubt = 'confirm' | 'more' | 'wait';

/**
 * Returns the next measurement that a duet's latest look needs before `claim` may be the verdict; null for none. A regression is in doubt
 * where throughput and CPU per request disagree; its size is in doubt where both sides load a busy database. A pass is in doubt where head
 * may wait, where such a database or unattributed CPU time may hide a drop, or where CPU per request proves one. `claim` is null while the
 * numbers leave the row open; `significantDrop` and `last` are the inputs of the claim. Source: docs/statistics.md 6.2 to 6.15.
 */
export function doubtOf(row: Row, claim: Claim | null, significantDrop: boolean, last: boolean): Doubt | null {
	switch (claim?.verdict) {
		case 'regressed':
			return doubtOfRed(row, last) ?? (isRedTooSmall(row) ? 'confirm' : null);
		case 'unchanged':
		case 'improved':
			if (mayHideDrop(row)) return doubtOfHidden(row, last);
			return (
				doubtByWait(row, last) ??
				doubtOfShared(row, claim) ??
				doubtOfLargerShare(row) ??
				(unseenCpuOf(row) && 'confirm')
			);
		default:
			// An earlier look passed the row, which went on only because head may wait.
			return isFallen(row) && significantDrop && mayWait(row) && waitOf(row)?.clear ? 'confirm' : null;
	}
}

/**
 * Returns whether the duet's regression stands where alternating windows do not decide in time, because they are asked only how large it
 * is: beside each other two sides hold a busy database back less than either alone, so the drop can be larger, not smaller.
 */
export function standsUnsized(row: Row, claim: Claim | null): boolean {
	return claim?.verdict === 'regressed' && isRedTooSmall(row) && doubtOfRed(row, true) === null;
}

/** A generator at its limit hides a drop in alternating windows too: they would refute what CPU per request has shown. */
function isRedTooSmall(row: Row): boolean {
	return row.judging?.because !== 'generator-bound' && isSizeHidden(row);
}

function isSizeHidden(row: Row): boolean {
	return hiddenBeside(row, row.judging?.because) !== null;
}

function doubtOfRed(row: Row, last: boolean): Doubt | null {
	return isDoubtfulRed(row) ? doubtOfIdle(row, last) : null;
}

function isFallen({ main, judging }: Row): boolean {
	const location = judging && main.locations[judging.by];
	return location != null && location.centre <= main.limits.threshold;
}

/**
 * A generator at its limit explains a disagreement; otherwise waiting or unequal shares may have made the red. Where CPU per
 * request alone proves it too, only the size of the drop is disputed.
 */
function isDoubtfulRed({ metric, judging, main }: Row): boolean {
	const [throughput, cpu] = [numbersOf(main, 'throughput'), numbersOf(main, 'cpu-per-request')];
	if (metric !== 'throughput' || judging?.because === 'generator-bound' || judging?.because === 'fixed-rate')
		return false;
	if (!throughput || !cpu || !isComplete(main, 'cpu-per-request')) return false;
	if (isProvenByCpu(main)) return false;
	return Math.abs(throughput.location.centre - cpu.location.centre) > Math.abs(main.limits.tolerance);
}

/** Whether CPU per request alone proves a drop beyond the threshold. */
function isProvenByCpu(main: Row['main']): boolean {
	const cpu = isComplete(main, 'cpu-per-request') ? numbersOf(main, 'cpu-per-request') : null;
	return cpu !== null && cpu.test.regressed <= ALPHA && cpu.location.centre <= main.limits.threshold;
}

/**
 * Servers that leave their CPU idle hardly compete for it, so their duet says what each would do alone. A red stands when it is one
 * also after the most that competition can have cost head is given back, at the level of the look. While that is likely, more
 * rounds tell; else alternating windows do. Source: docs/statistics.md 6.8.
 */
function doubtOfIdle(row: Row, last: boolean): Doubt | null {
	const given = row.judging?.because === 'servers-wait' ? largestLoss(cellRoundsOf(row)) : null;
	return given === null ? 'confirm' : doubtAfter(given, row, last);
}

/** What a red of throughput needs once `given`, log units, is given back to head; null where it stands at the level of the look. */
function doubtAfter(given: number, { main }: Row, last: boolean): Doubt | null {
	const location = main.locations.throughput;
	if (!location || location.centre + given > main.limits.threshold) return 'confirm';
	const regressed = probabilityBelow(location, main.limits.tolerance - given) / main.weights.weightRegressed;
	if (regressed <= ALPHA) return null;
	return last ? 'confirm' : 'more';
}

function cellRoundsOf({ main }: Row): readonly CellRound[] {
	return main.samples.map((sample) => sample.cellRound);
}

/**
 * Returns whether CPU per request judges in place of throughput while throughput itself does not exclude a drop of the threshold. A
 * side that waits gets less of the CPU, so unequal shares may be the regression itself and not a flaw of the duet; and a generator at
 * its limit makes drops smaller, never larger.
 */
export function mayHideDrop({ metric, judging, main }: Row): boolean {
	if (metric !== 'throughput' || !judging || judging.by === metric) return false;
	const throughput = numbersOf(main, metric);
	return !throughput || !excludesDrop(throughput) || throughput.location.centre <= main.limits.threshold;
}

/** In a duet a side asks at least half as often as alone. A database that is at work for half of a CPU may then be at its limit. */
const HALF_OF_LIMIT: Fraction = 0.5;

/**
 * Returns how much of a CPU was used beside the servers where that may hide what a pass costs alone, as in the database of servers that
 * share one; null where it hides nothing. With CPU to spare it is not the servers' CPU that holds them back, and at a fixed rate they
 * ask as often as alone. Source: docs/statistics.md 6.11.
 */
export function hiddenBeside({ cell, metric, main }: Row, because: Judging['because'] | undefined): Fraction | null {
	if (cell.sharesWork !== true || metric !== 'throughput') return null;
	if (because === 'servers-wait' || because === 'fixed-rate') return null;
	const beside = besideShare(main.samples.map((sample) => sample.cellRound));
	return beside !== null && beside >= HALF_OF_LIMIT ? beside : null;
}

/** An improvement stands: what makes head faster would have to make its database the slower by more. */
function doubtOfShared(row: Row, { verdict }: Claim): Doubt | null {
	return verdict === 'unchanged' && isSizeHidden(row) ? 'confirm' : null;
}

/**
 * A side whose work runs in more threads at once gets more than half of the CPU in a duet, and alone no more than the other one.
 * What is not enough to be `unequal-cpu` is enough to hide a drop. Where CPU per request proves one, alternating windows decide. Source:
 * docs/statistics.md 6.12.
 */
function doubtOfLargerShare({ metric, judging, main }: Row): Doubt | null {
	return metric === 'throughput' && judging?.because === null && isProvenByCpu(main) ? 'confirm' : null;
}

/** Solo windows are short, so only a mean this far below the duet counts (docs/statistics.md 6.15 has its rate on unchanged rows). */
const SURE_CONTRADICTION = -0.45;
/** Upper limit of CPUs used by sides held on one, allowing for clock ticks of 10 ms. */
const MOST_CPUS = 1.1;

/**
 * Returns the reason why a duet may flatter a side: work in processes that end between two readings, or on another CPU; null for no reason.
 * Alternating windows load each side alone, so the side gains nothing there. Source: docs/statistics.md 6.14 and 6.15.
 */
export function unseenCpuOf({ metric, judging, main }: Row): Unseen | null {
	if (metric !== 'throughput' || (judging?.because !== null && judging?.because !== 'servers-wait')) return null;
	const cellRounds = main.samples.map((sample) => sample.cellRound);
	if (cellRounds.some(isHeadUnread)) return 'hidden';
	const { threshold } = main.limits;
	const { centre } = main.locations.throughput ?? { centre: threshold };
	if (centre > threshold && centre - hideableCost(cellRounds) <= threshold) return 'hidden';
	const contradictions = soloContradictions(cellRounds);
	if (contradictions.length > 0 && mean(contradictions) <= SURE_CONTRADICTION) return 'contradicted';
	return leftCpuOf(cellRounds) === null ? null : 'left';
}

/** Whether only the CPU time of head could not be read: head may have caused that. */
function isHeadUnread(cellRound: CellRound): boolean {
	const windows = countedWindows(cellRound);
	const [base, head] = [poolTotals(sideOf(windows, 'base')), poolTotals(sideOf(windows, 'head'))];
	return windows.length > 0 && base.cpuSeconds !== null && head.cpuSeconds === null;
}

/** Returns the warning that the sides used more than the one CPU they are held on, so that the row must not pass; null if they did not. */
export function leftCpuOf(cellRounds: readonly CellRound[]): Warning | null {
	const cpus = cpusUsed(cellRounds);
	return cpus !== null && cpus > MOST_CPUS ? warn('left-cpu', { cpus }) : null;
}

/**
 * Returns the warning that unattributed CPU time could hide a drop of the threshold in CPU per request, if a fixed rate makes that the only
 * judging metric; null if it could not.
 */
export function hiddenCpuOf({ because }: Pick<Judging, 'because'>, { samples, limits }: Row['main']): Warning | null {
	if (because !== 'fixed-rate') return null;
	const cellRounds = samples.map((sample) => sample.cellRound);
	if (hideableCost(cellRounds) < Math.abs(limits.threshold)) return null;
	return warn('hidden-cpu', { share: othersShare(cellRounds) ?? 0 });
}

/** Alternating windows are worth their time when the drop is likely, or when nothing else is left. */
function doubtOfHidden({ main }: Row, last: boolean): Doubt {
	const { throughput } = main.locations;
	return last || !throughput || throughput.centre <= main.limits.threshold ? 'confirm' : 'more';
}

/**
 * Whether a wait may hide a drop of the threshold. In a duet throughput shows only a part of a wait, because head runs half of
 * the time; so the drop must be excluded also after the gap in CPU time is added to it. More rounds tell a wait from chance.
 * Alternating windows are worth their time when the drop is likely, or when nothing else is left. Source: docs/evaluation.md, question 2.
 */
function doubtByWait(row: Row, last: boolean): Doubt | null {
	const wait = mayWait(row) ? waitOf(row) : null;
	if (!wait?.clear || wait.unchanged <= ALPHA) return null;
	return last || wait.centre <= row.main.limits.threshold ? 'confirm' : 'wait';
}

/** At the generator's limit, or with CPU to spare, what head leaves of its CPU time to base means nothing. */
function mayWait({ metric, judging }: Row): boolean {
	return metric === 'throughput' && (judging?.because === null || judging?.because === 'unequal-cpu');
}

/**
 * Returns what the gap says, the log ratio of head's CPU time to base's: 0 in a duet whose sides never wait, negative where head
 * leaves CPU to base. `clear`: it is clearly negative, or was at an earlier look. `centre` is the estimate of d of throughput plus
 * the gap, `unchanged` the look's p-value of a drop of the threshold in that sum. Null where CPU time is unknown.
 */
function waitOf({ main, waits }: Row): { clear: boolean; centre: number; unchanged: number } | null {
	if (!isComplete(main, 'cpu-per-request')) return null;
	const known = main.samples.flatMap(({ d }) => {
		const [throughput, cpu] = [d.throughput, d['cpu-per-request']];
		// Throughput is CPU time over CPU time per request, so what is left is the ratio of CPU times.
		return throughput === null || cpu === null ? [] : [{ throughput, gap: throughput - cpu }];
	});
	// Without a correction for correlated rounds a wait is suspected rather sooner.
	const gap = locationOf(known.map((one) => one.gap));
	const widened = Math.max(main.correction('throughput'), main.correction('cpu-per-request'));
	const counted = locationOf(
		known.map((one) => one.throughput + one.gap),
		widened,
	);
	if (!gap || !counted) return null;
	return {
		clear: waits || probabilityBelow(gap, 0) <= ALPHA,
		centre: counted.centre,
		unchanged: probabilityAbove(counted, main.limits.threshold) / main.weights.weightUnchanged,
	};
}

/**
 * Returns the largest share of the time in which two sides that share a CPU may both want it, when it is idle for `idle` of it
 * and neither knows of the other: (1 − √idle)². Source: docs/statistics.md 6.8.
 */
export function largestContention(idle: Fraction): Fraction {
	return (1 - Math.sqrt(idle)) ** 2;
}

/**
 * Returns the most that competition for the CPU can have lowered d of throughput, log units, 0 or more: without it, d would be at most the
 * duet's d plus this. Base delays head only while it runs, so its share of the time is a bound too, the smaller one if other processes keep
 * the CPU busy. Null where the idle time is unknown. Source: docs/statistics.md 6.8.
 */
export function largestLoss(cellRounds: readonly CellRound[]): number | null {
	const idle = idleShare(cellRounds);
	if (idle === null) return null;
	const running = runningShare(cellRounds, 'base') ?? 1;
	return -SAFETY * Math.log1p(-Math.min(largestContention(idle), running));
}

/** Doubts about decided rows that require more measurement. */
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

/** Synchronised servers collide more often; twice the bound was enough in every simulation. */
const SAFETY = 2;

/** `confirm`: alternating windows. `more`: more rounds. `wait`: more rounds because head may wait. */
export type Doubt = 'confirm' | 'more' | 'wait';

/**
 * Returns the measurement that a duet needs before `claim` may be the verdict; null if the claim stands. `claim` is
 * null while the row is open. Source: docs/statistics.md 6.2 to 6.15.
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
			// An earlier look would have passed the row, which goes on only because head may wait.
			return isFallen(row) && significantDrop && mayWait(row) && waitOf(row)?.clear ? 'confirm' : null;
	}
}

/** Two sides load a shared database less than one alone, so the drop can only be larger. */
export function standsUnsized(row: Row, claim: Claim | null): boolean {
	return claim?.verdict === 'regressed' && isRedTooSmall(row) && doubtOfRed(row, true) === null;
}

/**
 * False with the generator at its limit: there alternating windows hide drops too, and would refute CPU per request.
 */
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

/** Whether a wait or unequal CPU shares may have made the red; not if CPU per request proves it too. */
function isDoubtfulRed({ metric, judging, main }: Row): boolean {
	const [throughput, cpu] = [numbersOf(main, 'throughput'), numbersOf(main, 'cpu-per-request')];
	if (metric !== 'throughput' || judging?.because === 'generator-bound' || judging?.because === 'fixed-rate')
		return false;
	if (!throughput || !cpu || !isComplete(main, 'cpu-per-request')) return false;
	if (isProvenByCpu(main)) return false;
	return Math.abs(throughput.location.centre - cpu.location.centre) > Math.abs(main.limits.tolerance);
}

function isProvenByCpu(main: Row['main']): boolean {
	const cpu = isComplete(main, 'cpu-per-request') ? numbersOf(main, 'cpu-per-request') : null;
	return cpu !== null && cpu.test.regressed <= ALPHA && cpu.location.centre <= main.limits.threshold;
}

/** A red of servers with idle CPU must outlast the largest loss by competition. Source: docs/statistics.md 6.8. */
function doubtOfIdle(row: Row, last: boolean): Doubt | null {
	const loss = row.judging?.because === 'servers-wait' ? largestLoss(cellRoundsOf(row)) : null;
	return loss === null ? 'confirm' : doubtAfter(loss, row, last);
}

function doubtAfter(loss: number, { main }: Row, last: boolean): Doubt | null {
	const location = main.locations.throughput;
	if (!location || location.centre + loss > main.limits.threshold) return 'confirm';
	const regressed = probabilityBelow(location, main.limits.tolerance - loss) / main.weights.weightRegressed;
	if (regressed <= ALPHA) return null;
	return last ? 'confirm' : 'more';
}

function cellRoundsOf({ main }: Row): readonly CellRound[] {
	return main.samples.map((sample) => sample.cellRound);
}

/** Whether CPU per request judges although throughput does not exclude a drop. */
export function mayHideDrop({ metric, judging, main }: Row): boolean {
	if (metric !== 'throughput' || !judging || judging.by === metric) return false;
	const throughput = numbersOf(main, metric);
	return !throughput || !excludesDrop(throughput) || throughput.location.centre <= main.limits.threshold;
}

/** A side alone queries up to twice as often, so a database that is half busy may reach its limit. */
const HALF_OF_LIMIT: Fraction = 0.5;

/**
 * Returns the CPUs used beside the servers if a shared database may hide a drop; else null. Source: docs/statistics.md
 * 6.11.
 */
export function hiddenBeside({ cell, metric, main }: Row, because: Judging['because'] | undefined): Fraction | null {
	if (cell.sharesWork !== true || metric !== 'throughput') return null;
	if (because === 'servers-wait' || because === 'fixed-rate') return null;
	const beside = besideShare(main.samples.map((sample) => sample.cellRound));
	return beside !== null && beside >= HALF_OF_LIMIT ? beside : null;
}

function doubtOfShared(row: Row, { verdict }: Claim): Doubt | null {
	return verdict === 'unchanged' && isSizeHidden(row) ? 'confirm' : null;
}

/**
 * A side with more threads gets more CPU in a duet than alone, which may hide a drop that CPU per request proves.
 * Source: docs/statistics.md 6.12.
 */
function doubtOfLargerShare({ metric, judging, main }: Row): Doubt | null {
	return metric === 'throughput' && judging?.because === null && isProvenByCpu(main) ? 'confirm' : null;
}

/**
 * Result of solo windows minus that of the duet, in log units. Solo windows are short, so only large differences count
 * (docs/statistics.md 6.15).
 */
const SURE_CONTRADICTION = -0.45;
/** Most CPUs that pinned sides can seem to use, because clock ticks last 10 ms. */
const MOST_CPUS = 1.1;

/** Returns why a duet may flatter a side, or null. Source: docs/statistics.md 6.14 and 6.15. */
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

/** Only head's CPU time is unknown, so head may have prevented its reading. */
function isHeadUnread(cellRound: CellRound): boolean {
	const windows = countedWindows(cellRound);
	const [base, head] = [poolTotals(sideOf(windows, 'base')), poolTotals(sideOf(windows, 'head'))];
	return windows.length > 0 && base.cpuSeconds !== null && head.cpuSeconds === null;
}

export function leftCpuOf(cellRounds: readonly CellRound[]): Warning | null {
	const cpus = cpusUsed(cellRounds);
	return cpus !== null && cpus > MOST_CPUS ? warn('left-cpu', { cpus }) : null;
}

export function hiddenCpuOf({ because }: Pick<Judging, 'because'>, { samples, limits }: Row['main']): Warning | null {
	if (because !== 'fixed-rate') return null;
	const cellRounds = samples.map((sample) => sample.cellRound);
	if (hideableCost(cellRounds) < Math.abs(limits.threshold)) return null;
	return warn('hidden-cpu', { share: othersShare(cellRounds) ?? 0 });
}

function doubtOfHidden({ main }: Row, last: boolean): Doubt {
	const { throughput } = main.locations;
	return last || !throughput || throughput.centre <= main.limits.threshold ? 'confirm' : 'more';
}

/** A duet shows only a part of a wait, so a drop is excluded with the gap in CPU time (docs/evaluation.md). */
function doubtByWait(row: Row, last: boolean): Doubt | null {
	const wait = mayWait(row) ? waitOf(row) : null;
	if (!wait?.clear || wait.unchanged <= ALPHA) return null;
	return last || wait.centre <= row.main.limits.threshold ? 'confirm' : 'wait';
}

/** The gap shows no wait if the generator is at its limit or the CPU is idle. */
function mayWait({ metric, judging }: Row): boolean {
	return metric === 'throughput' && (judging?.because === null || judging?.because === 'unequal-cpu');
}

/**
 * The gap is the log ratio of head's CPU time to base's. `clear`: it is surely negative. `centre`: d of throughput
 * plus the gap. `unchanged`: p-value of a drop of the threshold in that sum. Null if CPU time is unknown.
 */
function waitOf({ main, waits }: Row): { clear: boolean; centre: number; unchanged: number } | null {
	if (!isComplete(main, 'cpu-per-request')) return null;
	const roundGaps = main.samples.flatMap(({ d }) => {
		const [throughput, cpu] = [d.throughput, d['cpu-per-request']];
		// CPU time is throughput times CPU time per request, and d of the latter has the opposite sign.
		return throughput === null || cpu === null ? [] : [{ throughput, gap: throughput - cpu }];
	});
	// Not corrected for correlated rounds, so a wait is suspected sooner.
	const gap = locationOf(roundGaps.map((one) => one.gap));
	const widened = Math.max(main.correction('throughput'), main.correction('cpu-per-request'));
	const counted = locationOf(
		roundGaps.map((one) => one.throughput + one.gap),
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
 * Returns the largest share of time in which two independent sides both want a CPU that is idle for the share `idle`:
 * (1 − √idle)². Source: docs/statistics.md 6.8.
 */
export function largestContention(idle: Fraction): Fraction {
	return (1 - Math.sqrt(idle)) ** 2;
}

/**
 * Returns the most that competition can have lowered d of throughput (log units, ≥ 0); null if idle time is unknown.
 * Source: docs/statistics.md 6.8.
 */
export function largestLoss(cellRounds: readonly CellRound[]): number | null {
	const idle = idleShare(cellRounds);
	if (idle === null) return null;
	const running = runningShare(cellRounds, 'base') ?? 1;
	return -SAFETY * Math.log1p(-Math.min(largestContention(idle), running));
}

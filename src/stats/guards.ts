import { linearRegression, median } from 'simple-statistics';
import { percent } from '../text/wording.ts';
import type { CellRound, Window, WindowSide } from '../types/round.ts';
import { type Fraction, type Seconds, SIDES, type Warning } from '../types/units.ts';
import type { Guards } from '../types/verdict.ts';
import { windowLogRatios } from './differences.ts';
import { lag1Of, momentsOf } from './moments.ts';
import { studentQuantile } from './student-t.ts';
import { countedWindows, FEWEST_RESPONSES, poolTotals, sideOf, type Totals } from './windows.ts';

/** Share of answers that may be wrong, or fail, before a cell's numbers mean nothing (design.md 4.5). */
export const MOST_UNEXPECTED: Fraction = 0.001;
/** Of t, on each side: every row of a run is asked, so at 5 % one run in five of six rows was warned of nothing (docs/evaluation.md). */
const DRIFT_TAIL = 0.0025;
/** Share of a CPU that others may use in a window, and of windows in which they may use more, before it is warned of. */
export const BUSY_CPU: Fraction = 0.05;
export const BUSY_WINDOWS: Fraction = 0.2;

/**
 * Returns what the guards see over `cellRounds` (counted windows only): generator utilisation as the median over windows, CPU
 * figures as totals over totals, unexpected answers and errors as a share of all that was asked, the worse side. `d` are the
 * rounds' signed log ratios for the lag-1 autocorrelation.
 */
export function summariseGuards(cellRounds: readonly CellRound[], d: readonly number[]): Guards {
	const windows = cellRounds.flatMap(countedWindows);
	const base = poolTotals(sideOf(windows, 'base'));
	const head = poolTotals(sideOf(windows, 'head'));
	const cpu = base.cpuSeconds === null || head.cpuSeconds === null ? null : base.cpuSeconds + head.cpuSeconds;
	return {
		generatorUtilisation: windows.length === 0 ? null : median(windows.map((window) => window.generatorUtilisation)),
		serverUtilisation: utilisation(windows, cpu),
		cpuShare: cpu === null || cpu === 0 ? null : (head.cpuSeconds as number) / cpu,
		nonExpected: Math.max(shareUnexpected(base), shareUnexpected(head)),
		errors: base.errors + head.errors,
		lag1: lag1Of(d),
	};
}

/** Returns the warnings one cell's rounds give: `few-responses`, `still-warming`. `tolerance` is D0. */
export function cellWarnings(cellRounds: readonly CellRound[], tolerance: Fraction): readonly Warning[] {
	return [...fewResponses(cellRounds), ...stillWarming(cellRounds, tolerance)];
}

/** Returns the warnings about the machine, over all cells: `busy-machine`, `not-pinned`. */
export function machineWarnings(cellRounds: readonly CellRound[]): readonly Warning[] {
	const known = cellRounds.flatMap((cellRound) => cellRound.windows).flatMap(({ otherCpu }) => otherCpu ?? []);
	const busy = known.filter((share) => share > BUSY_CPU).length / known.length;
	const warnings: Warning[] = [];
	if (busy > BUSY_WINDOWS) {
		warnings.push({
			code: 'busy-machine',
			message: `Other processes used more than ${percent(BUSY_CPU)} of a CPU in ${percent(busy, 0)} of the windows, so the spread is larger than it need be.`,
		});
	}
	if (cellRounds.some((cellRound) => !cellRound.pinned)) {
		warnings.push({
			code: 'not-pinned',
			message:
				'The sides could not be pinned to one CPU with the generator on another, so they may not have shared the same noise.',
		});
	}
	return warnings;
}

/**
 * What the servers used of what their CPU offered. A CPU that others (or the hypervisor) took is not idle, so a busy machine
 * does not look like a waiting server. Where idling is unknown, of the wall time.
 */
function utilisation(windows: readonly Window[], cpu: Seconds | null): Fraction | null {
	if (cpu === null || windows.length === 0) return null;
	const offered = windows.every((window) => window.serverCpuIdle !== null)
		? cpu + windows.reduce((sum, window) => sum + (window.serverCpuIdle ?? 0), 0)
		: windows.reduce((sum, window) => sum + wallOf(window), 0);
	return offered === 0 ? null : cpu / offered;
}

/** A shared window lasts once; windows of one side each lasted one after the other. */
function wallOf({ kind, base, head }: Window): Seconds {
	const lengths = [base?.seconds ?? 0, head?.seconds ?? 0];
	return kind === 'duet' ? Math.max(...lengths) : (lengths[0] as number) + (lengths[1] as number);
}

function shareUnexpected({ completed, unexpected, errors }: Totals): Fraction {
	const asked = completed + errors;
	return asked === 0 ? 0 : (unexpected + errors) / asked;
}

function fewResponses(cellRounds: readonly CellRound[]): readonly Warning[] {
	const counts = cellRounds.flatMap((cellRound) => {
		const windows = countedWindows(cellRound);
		return windows.length === 0 ? [] : SIDES.map((side) => answersIn(sideOf(windows, side)));
	});
	const fewest = Math.min(...counts);
	if (fewest >= FEWEST_RESPONSES) return [];
	return [
		{
			code: 'few-responses',
			message: `A side answered only ${Math.round(fewest)} requests in a round (${FEWEST_RESPONSES} are wanted), so one request more or less shows in the numbers.`,
		},
	];
}

function answersIn(parts: readonly WindowSide[]): number {
	return poolTotals(parts).completed;
}

/** Warns when the log ratio drifts within rounds by more than the tolerance, and does so clearly (two-sided t at 0.5 %). */
function stillWarming(cellRounds: readonly CellRound[], tolerance: Fraction): readonly Warning[] {
	const drift = momentsOf(cellRounds.flatMap((cellRound) => driftOf(windowLogRatios(cellRound)) ?? []));
	if (!drift || drift.rounds < 4 || Math.abs(drift.mean) <= -Math.log1p(-tolerance)) return [];
	if (Math.abs(drift.mean) <= -studentQuantile(DRIFT_TAIL, drift.df) * drift.se) return [];
	return [
		{
			code: 'still-warming',
			message: `Head gained or lost ${percent(Math.abs(Math.expm1(drift.mean)))} against base within a round: one side was still warming up, so the change between warm servers may differ.`,
		},
	];
}

/** Change of x_w from the first to the last window by the least-squares line; null below three windows. */
function driftOf(ratios: readonly (number | null)[]): number | null {
	if (ratios.length < 3 || ratios.includes(null)) return null;
	const points = ratios.map((ratio, index) => [index, ratio as number]);
	return linearRegression(points).m * (ratios.length - 1);
}

/** Rows of exact counts: they are compared without a test. */
import { signedLogOf } from '../stats/estimate.ts';
import { isVarying, rangeOf } from '../stats/repeats.ts';
import { BYTE_TOLERANCE, CALL_TOLERANCE, TRIP_TOLERANCE } from '../types/explain/counts.ts';
import { METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound, CountedAmounts } from '../types/round.ts';
import { type Fraction, SIDES, type Sides } from '../types/units.ts';
import type { Estimate, RowDecision } from '../types/verdict.ts';
import { firstFaults, warnOfFault } from './guard-warnings.ts';
import type { RunSoFar } from './looks/run-so-far.ts';
import { presentCounted, presentRefused } from './present.ts';
import type { Row } from './row-state.ts';
import { warn } from './warnings.ts';

type Counted = keyof CountedAmounts;

const TOLERANCES: Readonly<Record<Counted, number>> = {
	roundTrips: TRIP_TOLERANCE,
	calls: CALL_TOLERANCE,
	bytesAllocated: BYTE_TOLERANCE,
};

/** Returns `row` with its verdict, if its cell was counted or never will be. */
export function settleCounted(row: Row, run: RunSoFar): Row {
	const cellRound = run.counted(row.cell.id);
	if (cellRound === null && run.ended === null) return row;
	return { ...row, decision: decisionOf(row, cellRound) };
}

/** Amounts that are missing are a fault, because a row without them must not pass. */
function decisionOf({ cell, metric }: Row, cellRound: CellRound | null): RowDecision {
	const { source, label } = METRICS[metric];
	const faults = cellRound?.faults.filter(({ code }) => code === uncountedCode(metric)) ?? [];
	const amounts = source.per === 'count' ? amountsOf(cellRound?.counted ?? [], source.ofCounted) : null;
	if (faults.length > 0 || amounts === null || source.per !== 'count') {
		const reasons = faults.length > 0 ? firstFaults(faults.map((fault) => warnOfFault(fault, false))) : [];
		return presentRefused(cell, metric, reasons.length > 0 ? reasons : [warn('not-counted', { label })]);
	}
	const tolerance = TOLERANCES[source.ofCounted];
	const ranges = { base: rangeOf(amounts.base), head: rangeOf(amounts.head) };
	const varies = SIDES.some((side) => isVarying(amounts[side], tolerance));
	const isWithin = (most: number, base: number) => most <= base * (1 + cell.threshold) + tolerance;
	const [[baseLeast, baseMost], [headLeast, headMost]] = [ranges.base, ranges.head];
	const verdict = !isWithin(headLeast, varies ? baseMost : baseLeast)
		? 'regressed'
		: isWithin(varies ? headMost : headLeast, baseLeast)
			? 'unchanged'
			: 'inconclusive';
	const warnings = varies ? [warn('varying-counts', { label, ...ranges })] : [];
	return presentCounted(cell, metric, verdict, estimateOf(metric, ranges, varies, amounts.head.length), warnings);
}

/** Returns the code of the fault that says why a metric was not counted. */
export function uncountedCode(metric: MetricName): string {
	return `${metric}-uncounted`;
}

function amountsOf(repeats: readonly Sides<CountedAmounts>[], counted: Counted): Sides<readonly number[]> | null {
	const [base = [], head = []] = SIDES.map((side) => repeats.map((repeat) => repeat[side][counted]));
	const isKnown = (amounts: readonly (number | null)[]): amounts is readonly number[] =>
		amounts.length > 0 && !amounts.includes(null);
	return isKnown(base) && isKnown(head) ? { base, head } : null;
}

/** A rise from 0 has no ratio. */
function estimateOf(
	metric: MetricName,
	{ base: [baseLeast, baseMost], head: [headLeast, headMost] }: Sides<readonly [number, number]>,
	varies: boolean,
	rounds: number,
): Estimate | null {
	const changeFrom = (base: number, head: number): Fraction => (head === base ? 0 : head / base - 1);
	const change = changeFrom(baseLeast, headLeast);
	const [low, high] = varies ? [changeFrom(baseMost, headLeast), changeFrom(baseLeast, headMost)] : [change, change];
	if (![change, low, high].every(Number.isFinite)) return null;
	const d = signedLogOf(metric, change);
	const exact = { mean: d, centre: d, sd: 0, se: 0, lag1: null, d: [d] };
	return { metric, rounds, ...exact, change, interval: { low, high, confidence: 1 } };
}

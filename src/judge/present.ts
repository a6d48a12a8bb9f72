import { summariseGuards } from '../stats/guards.ts';
import { isLatency, isOfServer, METRICS, type MetricName } from '../types/metric.ts';
import type { Cell, OneSidedCell } from '../types/plan.ts';
import type { Warning } from '../types/units.ts';
import type { Estimate, Guards, RowDecision } from '../types/verdict.ts';
import { hiddenBeside, unseenCpuOf } from './doubts.ts';
import { lateWarnings } from './fixed-rate-faults.ts';
import { cellWarnings, spreadWarnings } from './guard-warnings.ts';
import type { Judging } from './judging-metric.ts';
import { estimatesOf, type RowLooks, valuesOf } from './looks/row-looks.ts';
import type { RunSoFar } from './looks/run-so-far.ts';
import type { Sample } from './looks/samples.ts';
import type { Limits, SequentialP } from './looks/sequential.ts';
import { smallestDecidable } from './looks/spread.ts';
import { afterworkNotes } from './put-off.ts';
import type { Row } from './row-state.ts';
import type { Claim } from './rule.ts';
import { warn } from './warnings.ts';

const NOTHING: Omit<RowDecision, 'cell' | 'metric' | 'judgedBy' | 'verdict' | 'final'> = {
	needsConfirmation: false,
	estimate: null,
	estimates: {},
	pRegressed: null,
	pUnchanged: null,
	pImproved: null,
	smallestDecidableThreshold: null,
	guards: null,
	warnings: [],
};

export function presentOneSided({ id, verdict, reason }: OneSidedCell, metric: MetricName): RowDecision {
	const warnings = [{ code: verdict, message: reason }];
	return { ...NOTHING, cell: id, metric, judgedBy: metric, verdict, final: true, warnings };
}

export function presentMissing(cell: Cell, metric: MetricName, warning: Warning): RowDecision {
	const row = { ...NOTHING, ...nameOf(cell, metric), judgedBy: metric, verdict: 'inconclusive' as const };
	return { ...row, final: true, warnings: [warning] };
}

/** Returns the final row of a cell not loaded because its answer was wrong. */
export function presentRefused(cell: Cell, metric: MetricName, faults: readonly Warning[]): RowDecision {
	return { ...NOTHING, ...nameOf(cell, metric), judgedBy: metric, verdict: 'invalid', final: true, warnings: faults };
}

/** Returns the final row of an exact count. */
export function presentCounted(
	cell: Cell,
	metric: MetricName,
	verdict: 'regressed' | 'unchanged' | 'inconclusive',
	estimate: Estimate | null,
	warnings: readonly Warning[],
): RowDecision {
	const estimates = estimate === null ? {} : { [metric]: estimate };
	return { ...NOTHING, ...nameOf(cell, metric), judgedBy: metric, verdict, final: true, estimate, estimates, warnings };
}

/** Returns the final row of a cell whose numbers are meaningless, so it has guards only. */
export function presentInvalid({ cell, metric }: Row, samples: readonly Sample[], faults: readonly Warning[]) {
	const guards = isOfServer(metric) ? null : guardsOf(samples, metric);
	return { ...presentRefused(cell, metric, faults), guards } satisfies RowDecision;
}

export function presentOpen({ cell, metric, main, confirm }: Row, judging: Judging): RowDecision {
	const { samples } = main;
	const estimates = estimatesOf(main);
	const estimate = estimates[judging.by] ?? null;
	const cellRounds = samples.map((sample) => sample.cellRound);
	// The warning is about ranks, which are not used for correlated rounds.
	const split = estimate && main.correction(judging.by) === 1 ? spreadWarnings(estimate) : [];
	// A server's start has no guards, because load does not affect it.
	const guards = samples.length === 0 || isOfServer(metric) ? null : guardsOf(samples, judging.by);
	return {
		...NOTHING,
		...shownTest(main.tests[judging.by]),
		...nameOf(cell, metric),
		judgedBy: judging.by,
		verdict: 'inconclusive',
		final: false,
		needsConfirmation: confirm !== null,
		estimate,
		estimates,
		smallestDecidableThreshold: estimate && smallestDecidable(estimate, main.bound(judging.by)),
		guards,
		warnings: [
			...(guards
				? [
						...judging.warnings,
						...cellWarnings(cellRounds, cell.tolerance),
						...rateWarnings(metric, guards),
						...(isOfCpu(metric) ? afterworkNotes(samples) : []),
					]
				: []),
			...split,
		],
	};
}

export function presentRuled(row: Row, judging: Judging, { verdict, remarks }: Claim): RowDecision {
	const open = presentOpen(row, judging);
	const { estimate } = open;
	const remarked = estimate ? remarks.map((remark) => warn(remark, estimate)) : [];
	const alone = estimate?.rounds === 1 ? [warn('too-few-rounds', { rounds: 1, needed: 2 })] : [];
	return { ...final(open, ...remarked, ...alone), verdict };
}

export function presentDenied(row: Row, judging: Judging, denied: Warning): RowDecision {
	return final(presentRuled(row, judging, { verdict: 'inconclusive', remarks: [] }), denied);
}

/**
 * Returns the final row after alternating windows, with their numbers. If undecided or `denied`, it has those of the
 * main rounds.
 */
export function presentConfirmed(
	row: Row,
	judging: Judging,
	confirm: RowLooks,
	verdict: 'unchanged' | 'regressed' | 'inconclusive',
	denied: Warning | null = null,
): RowDecision {
	const main = presentRuled(row, judging, { verdict, remarks: [] });
	const { throughput, 'cpu-per-request': cpu } = main.estimates;
	const beside = agree(throughput, cpu, row.main.limits) ? hiddenBeside(row, judging.because) : null;
	const unseen = beside === null ? unseenCpuOf(row) : null;
	const duet = { throughput, cpu, beside, unseen };
	const estimate = estimatesOf(confirm).throughput;
	if (verdict === 'inconclusive' || !estimate) {
		return final(main, warn('unconfirmed', { duet, rounds: estimate?.rounds ?? 0 }), ...(denied ? [denied] : []));
	}
	return {
		...final(main, warn('confirmed-alternating', { duet, alternating: estimate })),
		...shownTest(confirm.tests.throughput),
		judgedBy: 'throughput',
		estimate,
		smallestDecidableThreshold: smallestDecidable(estimate, confirm.bound('throughput')),
	};
}

export function presentUnsized(row: Row, judging: Judging, denied: Warning | null): RowDecision {
	const beside = hiddenBeside(row, judging.because);
	const { throughput, 'cpu-per-request': cpu } = estimatesOf(row.main);
	const unsized = warn('size-unconfirmed', { duet: { throughput, cpu, beside } });
	return final(presentRuled(row, judging, { verdict: 'regressed', remarks: [] }), unsized, ...(denied ? [denied] : []));
}

function agree(one: Estimate | undefined, other: Estimate | undefined, { tolerance }: Limits): boolean {
	return one !== undefined && other !== undefined && Math.abs(one.centre - other.centre) <= Math.abs(tolerance);
}

export function presentUnavailable(open: RowDecision): RowDecision {
	return final(open, warn('metric-unavailable', METRICS[open.judgedBy]));
}

export function presentTooFew(
	open: RowDecision,
	rounds: number,
	needed: number,
	{ ended, secondsPerRound }: RunSoFar,
): RowDecision {
	const short = ended === 'budget' ? 'budget-too-small' : 'too-few-rounds';
	return final(open, warn(short, { rounds, needed, secondsPerRound }));
}

function nameOf({ id, newerThanBase }: Cell, metric: MetricName) {
	return { cell: id, metric, ...(newerThanBase && { newerThanBase }) };
}

function final(row: RowDecision, ...more: readonly Warning[]): RowDecision {
	return { ...row, final: true, needsConfirmation: false, warnings: [...row.warnings, ...more] };
}

function shownTest(test: SequentialP | undefined): Pick<RowDecision, 'pRegressed' | 'pUnchanged' | 'pImproved'> {
	return {
		pRegressed: test?.regressed ?? null,
		pUnchanged: test?.unchanged ?? null,
		pImproved: test?.improved ?? null,
	};
}

function isOfCpu(metric: MetricName): boolean {
	return metric === 'throughput' || metric === 'cpu-per-request';
}

function rateWarnings(metric: MetricName, guards: Guards): readonly Warning[] {
	return isLatency(metric) && !guards.fixedRate ? [warn('latency-saturated', {})] : lateWarnings(guards);
}

function guardsOf(samples: readonly Sample[], metric: MetricName): Guards {
	const cellRounds = samples.map((sample) => sample.cellRound);
	return summariseGuards(cellRounds, valuesOf(samples, metric));
}

import { BUSY_CPU, BUSY_WINDOWS, busyShare, generatorShare, othersShare, summariseGuards } from '../stats/guards.ts';
import { isCounted, isLatency, isOfWindows, type MetricName } from '../types/metric.ts';
import type { Cell, Plan } from '../types/plan.ts';
import type { CellRound } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import type { RowDecision } from '../types/verdict.ts';
import { settleCounted } from './counted-row.ts';
import { doubtOf, hiddenCpuOf, leftCpuOf, mayHideDrop, standsUnsized } from './doubts.ts';
import { isManyLate } from './fixed-rate-faults.ts';
import { invalidityOf } from './guard-warnings.ts';
import { type Judging, judgeSamples } from './judging-metric.ts';
import {
	estimatesOf,
	fewestRounds,
	isSpent,
	noLooks,
	numbersOf,
	previewLook,
	type RowLooks,
	samplesOf,
	takeDueLooks,
} from './looks/row-looks.ts';
import type { RunSoFar } from './looks/run-so-far.ts';
import { type SequentialP, UNTESTED } from './looks/sequential.ts';
import {
	presentConfirmed,
	presentDenied,
	presentInvalid,
	presentOpen,
	presentRuled,
	presentTooFew,
	presentUnavailable,
	presentUnsized,
} from './present.ts';
import { putOffOf } from './put-off.ts';
import type { Row } from './row-state.ts';
import { type Claim, claimOf, confirmationOf, type Significance } from './rule.ts';
import { warn } from './warnings.ts';

export function openRow(cell: Cell, metric: MetricName): Row {
	const main = noLooks(cell, metric, 'main');
	return { cell, metric, main, judging: null, waits: false, confirm: null, atLast: false, decision: null };
}

export function lookAtRow(row: Row, run: RunSoFar): Row {
	if (row.decision) return row;
	const samples = run.allSamples(row.cell.id);
	// A rate that was not held affects neither starts nor memory after a number of requests.
	const fewest = isOfWindows(row.metric) ? fewestRounds(run) : Number.POSITIVE_INFINITY;
	const faults = invalidityOf(samples, fewest);
	if (faults.length > 0) return { ...row, decision: presentInvalid(row, samples, faults) };
	if (row.confirm || isCounted(row.metric)) return row;
	const main = takeDueLooks(row.main, run);
	return main === row.main ? row : { ...row, main, judging: judgingOf(main, run.plan) };
}

export function testOf({ judging, main }: Row): SequentialP {
	return (judging && main.tests[judging.by]) ?? UNTESTED;
}

/** Returns `row` with its verdict, if it has one now. */
export function settleRow(row: Row, run: RunSoFar, significant: Significance): Row {
	if (row.decision) return row;
	if (isCounted(row.metric)) return settleCounted(row, run);
	if (row.confirm) return settleConfirmation(row, row.confirm, run, significant);
	const { judging, main } = row;
	const numbers = judging && numbersOf(main, judging.by);
	if (!judging || !numbers) return settleUnlooked(row, run);
	const last = run.ended !== null || isSpent(main, run);
	const claim = claimOf(numbers, significant, last);
	const doubt = run.plan.design === 'duet' ? doubtOf(row, claim, significant.drop, last) : null;
	if (doubt === 'confirm') return settleConfirmation(row, noLooks(row.cell, 'throughput', 'confirm'), run, significant);
	if (doubt === 'more') return row;
	if (doubt === 'wait') return { ...row, waits: true };
	const denied = claim && isPass(claim) ? denialOf(row, judging, claim) : null;
	if (!claim || (denied && !last)) return row;
	const atLast = last && claimOf(numbers, significant, false) === null;
	return { ...row, atLast, decision: denied ? presentDenied(row, judging, denied) : presentRuled(row, judging, claim) };
}

/** Returns `row`, settled again with more of the family if its last look decided it. */
export function settleAgain(row: Row, run: RunSoFar, significant: Significance): Row {
	return row.atLast ? settleRow({ ...row, atLast: false, decision: null }, run, significant) : row;
}

function isPass({ verdict }: Claim): boolean {
	return verdict === 'unchanged' || verdict === 'improved';
}

/** Waiting never makes a side answer more, and common delays never make latencies differ more. */
function isShownFaster({ verdict }: Claim, { metric, main }: Row): boolean {
	const { throughput } = estimatesOf(main);
	return verdict === 'improved' && (isLatency(metric) || (throughput?.interval.low ?? 0) > 0);
}

/**
 * Returns why the row must not pass; null if it may. Reasons are head's work at rest or on another CPU, other programs
 * (with CPU per request or latency as judge), and a drop that throughput does not exclude, which in a duet alternating
 * windows settle.
 */
function denialOf(row: Row, judging: Judging, claim: Claim): Warning | null {
	const unseen = isOfWindows(row.metric) ? (unseenIn(row.main) ?? hiddenCpuOf(judging, row.main)) : null;
	if (unseen || isShownFaster(claim, row)) return unseen;
	const cellRounds = row.main.samples.map((sample) => sample.cellRound);
	const crowd = crowdOf(judging, cellRounds, row.cell.sharesWork) ?? lateCrowdOf(row.metric, cellRounds);
	const { throughput } = estimatesOf(row.main);
	return crowd ?? (mayHideDrop(row) && throughput ? warn('hidden-drop', throughput) : null);
}

function unseenIn({ samples, limits }: RowLooks): Warning | null {
	return putOffIn({ samples, limits }) ?? leftCpuOf(samples.map((sample) => sample.cellRound));
}

function putOffIn({ samples, limits }: Pick<RowLooks, 'samples' | 'limits'>): Warning | null {
	return putOffOf(
		samples.map((sample) => sample.cellRound),
		limits.tolerance,
	);
}

export function decisionOf(row: Row, run: RunSoFar): RowDecision {
	if (row.decision) return row.decision;
	const main = previewLook(row.main, run);
	return presentOpen({ ...row, main }, judgingOf(main, run.plan));
}

function settleConfirmation(row: Row, before: RowLooks, run: RunSoFar, significant: Significance): Row {
	const confirm = takeDueLooks(before, run);
	const last = run.ended !== null || isSpent(confirm, run);
	const confirmedVerdict = confirmationOf(numbersOf(confirm, 'throughput'), last);
	const waiting = { ...row, confirm };
	if (!confirmedVerdict || !row.judging) return waiting;
	const denied = confirmedVerdict === 'unchanged' ? (unseenIn(confirm) ?? putOffIn(row.main)) : null;
	if (denied && !last) return waiting;
	const verdict = denied ? 'inconclusive' : confirmedVerdict;
	const numbers = numbersOf(row.main, row.judging.by);
	if (verdict === 'inconclusive' && standsUnsized(row, numbers && claimOf(numbers, significant, true))) {
		return { ...waiting, decision: presentUnsized(waiting, row.judging, denied) };
	}
	return { ...waiting, decision: presentConfirmed(waiting, row.judging, confirm, verdict, denied) };
}

function settleUnlooked(row: Row, run: RunSoFar): Row {
	const needed = fewestRounds(run);
	const isMissing = samplesOf(row.main, run).length === 0 && run.samples(row.cell.id, 'main').length >= needed;
	// If `judging` is set, no round of the look had the metric that should judge instead.
	const unavailable = isMissing || row.judging !== null;
	if (!run.ended && !unavailable) return row;
	const open = decisionOf(row, run);
	if (unavailable) return { ...row, decision: presentUnavailable(open) };
	return { ...row, decision: presentTooFew(open, samplesOf(row.main, run).length, needed, run) };
}

function judgingOf({ metric, samples }: RowLooks, { design }: Plan): Judging {
	return judgeSamples(metric, samples, design);
}

/**
 * A generator that is at its limit uses at least 95 % of its CPU by itself
 * (docs/decisions/0049-no-verdict-on-what-is-hidden.md).
 */
const GENERATOR_ALONE = 0.9;

/**
 * The warning `crowded-cpu` if CPU per request must not pass the row in place of throughput, because a side
 * may wait, which costs no CPU time. `shared`: the other programs include one that the servers share, such as a
 * database. Source: docs/statistics.md 6.9.
 */
function crowdOf(
	{ because }: Pick<Judging, 'because'>,
	cellRounds: readonly CellRound[],
	shared = false,
): Warning | null {
	if (because !== 'unequal-cpu' && because !== 'generator-bound') return null;
	const others = othersShare(cellRounds);
	if (others !== null && others > BUSY_CPU) return warn('crowded-cpu', { owner: 'servers', share: others, shared });
	const generator = because === 'generator-bound' ? generatorShare(cellRounds) : null;
	if (generator === null || generator >= GENERATOR_ALONE) return null;
	return warn('crowded-cpu', { owner: 'load generator', share: 1 - generator, shared });
}

/**
 * The warning `crowded-latency` if latency must not pass the row: other programs may have delayed requests of a
 * fixed rate on both sides, which hides a difference. Null if surely no other program ran: late requests then count as
 * latency. Source: docs/statistics.md 14.4.
 */
function lateCrowdOf(metric: MetricName, cellRounds: readonly CellRound[]): Warning | null {
	if (!isLatency(metric)) return null;
	const { fixedRate } = summariseGuards(cellRounds, []);
	if (!fixedRate || !isManyLate(fixedRate) || isSurelyAlone(cellRounds)) return null;
	return warn('crowded-latency', { base: fixedRate.base.late, head: fixedRate.head.late });
}

function isSurelyAlone(cellRounds: readonly CellRound[]): boolean {
	const others = othersShare(cellRounds);
	// Only a pinned generator busy-waits. The running time of any other generator shows nothing.
	if (others !== null && cellRounds.every(({ pinned }) => pinned)) {
		return others <= BUSY_CPU && (generatorShare(cellRounds) ?? 0) >= GENERATOR_ALONE;
	}
	const busy = busyShare(cellRounds);
	return busy !== null && busy <= BUSY_WINDOWS;
}

/** Question 4: how often guards and warnings fire without a planted change, and which ones a decision has. */
import { decide } from '../../src/judge/decide.ts';
import type { WarningCode } from '../../src/judge/warnings.ts';
import type { Decision } from '../../src/types/verdict.ts';
import { consecutiveRuns } from '../replay/consecutive-runs.ts';
import { replayOurs } from '../replay/ours.ts';
import { shareOf } from '../replay/share.ts';
import type { GuardCount } from '../results.ts';
import { roundsOf, type Series } from '../series.ts';
import { planOf, sameSeries } from './turns.ts';

/** Codes that are listed even with a count of 0. */
export const GUARD_CODES: readonly string[] = [
	'generator-bound',
	'servers-wait',
	'unequal-cpu',
	'no-cpu-time',
	'few-responses',
	'still-warming',
	'split-rounds',
	'small-drop',
	'possible-improvement',
	'confirmed-alternating',
	'unconfirmed',
	'correlated-rounds',
	'machine-event',
	'busy-machine',
	'not-pinned',
] satisfies readonly WarningCode[];
/** An undecided run must have as many rounds, so that it had a look. */
const FEWEST_ROUNDS = 4;

/**
 * Returns in how many runs of servers against themselves each guard or warning fired at least once, for a row or the
 * run, with exact 95 % binomial intervals: the known codes in the order of `GUARD_CODES`, then all others by name. Runs
 * are the `live` series as they were measured, and `matrix` series and the duet rounds of `designs` series cut into
 * runs that begin where the one before was decided, so no round is in two; the remainder of a `designs` series counts
 * from 4 rounds on, as a run that ended undecided.
 */
export function guardCounts(series: readonly Series[]): readonly GuardCount[] {
	const runs = [
		...sameSeries(series, 'live').flatMap((one) => decideLive(one) ?? []),
		...sameSeries(series, 'matrix').flatMap(decideMatrix),
		...sameSeries(series, 'designs').flatMap(decideCuts),
	].map((decision) => new Set(codesOf(decision)));
	const others = new Set(runs.flatMap((codes) => [...codes]).filter((code) => !GUARD_CODES.includes(code)));
	return [...GUARD_CODES, ...[...others].sort()].map((code) => ({
		code,
		runs: shareOf(runs.filter((codes) => codes.has(code)).length, runs.length),
	}));
}

function decideLive(series: Series): Decision | null {
	const plan = planOf(series, 'duet');
	return plan && series.rounds.length > 0 ? decide(plan, series.rounds, 'rounds') : null;
}

function decideMatrix({ plans, rounds }: Series): readonly Decision[] {
	return plans.flatMap((plan) => consecutiveRuns(plan, rounds).finished.map(({ decision }) => decision));
}

function decideCuts(series: Series): readonly Decision[] {
	const plan = planOf(series, 'duet');
	const main = roundsOf(series, 'duet');
	const alternating = roundsOf(series, 'alternating');
	const decisions: Decision[] = [];
	for (let start = 0; plan && main.length - start >= FEWEST_ROUNDS; ) {
		const { decision, rounds } = replayOurs(plan, main.slice(start), alternating.slice(start));
		decisions.push(decision);
		start += Math.max(1, rounds.filter(({ purpose }) => purpose === 'main').length);
	}
	return decisions;
}

/**
 * Returns the codes in `decision`, for a row or the run, each once: the known ones first, in the order of
 * `GUARD_CODES`.
 */
export function codesOf({ rows, warnings }: Decision): readonly string[] {
	const spoke = new Set([...rows.flatMap((row) => row.warnings), ...warnings].map(({ code }) => code));
	return [
		...GUARD_CODES.filter((code) => spoke.has(code)),
		...[...spoke].filter((code) => !GUARD_CODES.includes(code)),
	];
}

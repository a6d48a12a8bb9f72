/** Starts a pair twice before blaming a side. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerSpec } from '../types/config.ts';
import type { PairPlan } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Fault } from '../types/round.ts';
import { otherSide, SIDES, type Warning } from '../types/units.ts';
import { type FirstAsk, type Pair, type StartContext, startPair } from './pair.ts';
import type { Untidy } from './server-process.ts';

/** Time between the close of a process's connections and its end. */
const DYING_MS = 500;

/** Keeps the last remark per code and `about` (default: the message) for the report. */
export type Note = (code: string, message: string, about?: string) => void;

export function keepNotes(warnings: Map<string, Warning>, words: (remark: string) => string): Note {
	return (code, remark, about) => {
		const message = words(remark);
		warnings.set(`${code} ${about ?? message}`, { code, message });
	};
}

/**
 * Starts a pair. Retries once in the other order: a busy machine is not a broken server. Returns the faults of sides
 * that failed twice, or of both if each failed once. Notes a late success.
 */
export async function startFreshPair(
	spec: ServerSpec,
	prepared: Prepared,
	plan: Pick<PairPlan, 'startFirst' | 'slot'>,
	context: StartContext,
	note: Note,
	firstAsk?: FirstAsk,
): Promise<Pair | readonly Fault[]> {
	const first = await startPair(spec, prepared, plan, context, firstAsk);
	if (!isFaults(first)) return first;
	context.signal.throwIfAborted();
	const again = { ...plan, startFirst: otherSide(plan.startFirst) };
	const second = await startPair(spec, prepared, again, context, firstAsk);
	if (!isFaults(second)) {
		for (const { message } of first) note('started-late', `It worked at the second try; at the first, ${message}`);
		return second;
	}
	const never = second.filter(({ side }) => first.some((fault) => fault.side === side));
	return never.length > 0 ? never : [...first, ...second];
}

export function isFaults(outcome: Pair | readonly Fault[]): outcome is readonly Fault[] {
	return Array.isArray(outcome);
}

export function crashesOf(pair: Pair, when: string): readonly Fault[] {
	return SIDES.flatMap((side) => {
		const how = pair[side].ending();
		return how === null ? [] : { code: 'crashed', side, message: `the ${side} server crashed ${when}: ${how}` };
	});
}

/** First gives a silent server time to end: the kernel closes its connections a moment before it reports the exit. */
export async function crashesBehind(pair: Pair, when: string, faults: readonly Fault[]): Promise<readonly Fault[]> {
	if (faults.some(({ code }) => code === 'no-answer')) {
		await Promise.race([delay(DYING_MS, undefined, { ref: false }), ...SIDES.map((side) => pair[side].exited)]);
	}
	return crashesOf(pair, when);
}

/** If the isolation refused something, adds advice to wrong statuses. */
export function explained(pair: Pair, faults: readonly Fault[]): readonly Fault[] {
	return faults.map((fault) => {
		if (fault.side === null || fault.code !== 'wrong-status') return fault;
		return { ...fault, message: `${fault.message}${pair[fault.side].refused()}` };
	});
}

export function noteUntidy(untidy: Untidy, name: string, note: Note): void {
	if (untidy.hungOnTerm)
		note(
			'hung-on-sigterm',
			`${name} did not exit within 2 s of SIGTERM and was killed, which costs time in every round`,
		);
	if (untidy.survived)
		note('survived-kill', `${name} was still there some seconds after it was killed, and was left alone`);
	// The message may differ from round to round.
	if (untidy.stopFailed !== null) note('stop-failed', `the stop command of ${name} failed: ${untidy.stopFailed}`, name);
	if (untidy.escaped > 0) note('leaked-children', `${name} left processes behind, which were killed`);
}

/** A pair that is started twice before a side is blamed for not coming up, and what ended by itself. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerSpec } from '../types/config.ts';
import type { PairPlan } from '../types/plan.ts';
import type { Prepared } from '../types/prepared.ts';
import type { Fault } from '../types/round.ts';
import { otherSide, SIDES, type Warning } from '../types/units.ts';
import { type FirstAsk, type Pair, type StartContext, startPair } from './pair.ts';
import type { Untidy } from './server-process.ts';

/** Longest that a process takes to end whose connections are closed. */
const DYING_MS = 500;

/** Takes a remark about a server for the report. Of those with one code and `about` the last is kept; it is the message when absent. */
export type Note = (code: string, message: string, about?: string) => void;

/** Returns what keeps remarks in `warnings`, said in other words. */
export function keepNotes(warnings: Map<string, Warning>, words: (remark: string) => string): Note {
	return (code, remark, about) => {
		const message = words(remark);
		warnings.set(`${code} ${about ?? message}`, { code, message });
	};
}

/**
 * Starts both processes and returns them ready. A start that failed is tried once more with fresh processes, the other side
 * first: a busy machine is not a broken server, and two servers that want the same port fail in turn. Returns the faults of the
 * sides that came up neither time; of both when each came up, but never beside the other. A start that worked the second time
 * is noted. `firstAsk` as `startPair` has it.
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

/** Returns whether no pair came up. */
export function isFaults(outcome: Pair | readonly Fault[]): outcome is readonly Fault[] {
	return Array.isArray(outcome);
}

/** Returns the faults of the servers that ended by themselves, with their last words. `when`: `under load`. */
export function crashesOf(pair: Pair, when: string): readonly Fault[] {
	return SIDES.flatMap((side) => {
		const how = pair[side].ending();
		return how === null ? [] : { code: 'crashed', side, message: `the ${side} server crashed ${when}: ${how}` };
	});
}

/**
 * As `crashesOf`, where `faults` were found: a server that did not answer may be about to end. The kernel closes its connections a moment
 * before it says how it ended.
 */
export async function crashesBehind(pair: Pair, when: string, faults: readonly Fault[]): Promise<readonly Fault[]> {
	if (faults.some(({ code }) => code === 'no-answer')) {
		await Promise.race([delay(DYING_MS, undefined, { ref: false }), ...SIDES.map((side) => pair[side].exited)]);
	}
	return crashesOf(pair, when);
}

/** Returns the faults, a wrong status with what to do when the server printed that it was refused something. */
export function explained(pair: Pair, faults: readonly Fault[]): readonly Fault[] {
	return faults.map((fault) => {
		if (fault.side === null || fault.code !== 'wrong-status') return fault;
		return { ...fault, message: `${fault.message}${pair[fault.side].refused()}` };
	});
}

/** Notes what the end of a server took, and what it left. */
export function noteUntidy(untidy: Untidy, name: string, note: Note): void {
	if (untidy.hungOnTerm)
		note(
			'hung-on-sigterm',
			`${name} did not exit within 2 s of SIGTERM and was killed, which costs time in every round`,
		);
	if (untidy.survived)
		note('survived-kill', `${name} was still there some seconds after it was killed, and was left alone`);
	// What it printed may differ from round to round.
	if (untidy.stopFailed !== null) note('stop-failed', `the stop command of ${name} failed: ${untidy.stopFailed}`, name);
	if (untidy.escaped > 0) note('leaked-children', `${name} left processes behind, which were killed`);
}

/** `gate: { enforce-after: DAY }`: until the end of that day a red gate blocks nothing. */
import type { GateMode } from '../types/action-run.ts';

export const DAY_PATTERN = '^\\d{4}-\\d{2}-\\d{2}$';
export const DAY_FORM = 'a day as year-month-day, e.g. 2026-12-24';

/** Of `2026-12-24`, which is how an ISO time begins. */
const DAY_LENGTH = 10;

/** Returns whether a text of that form is a day that a calendar has. */
export function isDay(text: string): boolean {
	const time = Date.parse(`${text}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A gate, and until when it rests where that is why it is advisory. */
export interface RestingGate {
	readonly gate: GateMode;
	/** Last day (UTC) of the ramp. */
	readonly advisoryUntil?: string;
}

/**
 * Returns the gate as it is on a day: one that would be enforced is advisory while the ramp lasts.
 *
 * @param day `Config.gate.enforceAfter`.
 * @param now Read by whoever enforces the gate.
 */
export function gateOn(gate: GateMode, day: string | undefined, now: Date): RestingGate {
	const rests = gate === 'enforce' && day !== undefined && now.toISOString().slice(0, DAY_LENGTH) <= day;
	return rests ? { gate: 'advisory', advisoryUntil: day } : { gate };
}

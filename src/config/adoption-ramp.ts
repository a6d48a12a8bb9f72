/** `gate: { enforce-after: DAY }`: a red gate blocks nothing until the end of that day (UTC). */
import type { GateMode } from '../types/action-run.ts';

export const DAY_PATTERN = '^\\d{4}-\\d{2}-\\d{2}$';
export const DAY_FORM = 'a day as year-month-day, e.g. 2026-12-24';

/** An ISO time starts with the day. */
const DAY_LENGTH = 10;

export function isDay(text: string): boolean {
	const time = Date.parse(`${text}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export interface RestingGate {
	readonly gate: GateMode;
	/** Last day of the ramp, if that is why the gate is advisory. */
	readonly advisoryUntil?: string;
}

/**
 * Returns the gate on a day: an enforced gate is advisory during the ramp.
 *
 * @param day `Config.gate.enforceAfter`.
 */
export function gateOn(gate: GateMode, day: string | undefined, now: Date): RestingGate {
	const rests = gate === 'enforce' && day !== undefined && now.toISOString().slice(0, DAY_LENGTH) <= day;
	return rests ? { gate: 'advisory', advisoryUntil: day } : { gate };
}

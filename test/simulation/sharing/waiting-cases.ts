import { mean } from 'simple-statistics';
import { largestContention } from '../../../src/judge/doubts.ts';
import type { Fraction } from '../../../src/types/units.ts';
import { compareServers, type Setting } from './competing-servers.ts';

/** Servers that wait: milliseconds that base and head wait, CPU time of a request, connections on each side. */
export const WAITS: readonly (readonly [base: number, head: number, service: number, connections: number])[] = [
	[5, 6, 0.02, 20],
	[5, 6, 0.04, 20],
	[1, 2, 0.05, 4],
	[5, 5, 0.04, 20],
	[20, 25, 0.15, 50],
	[6, 5, 0.08, 20],
];

const SEEDS = [1, 2, 3, 4];

/** The error of a duet (log units); means over the seeds. */
export interface DuetError {
	readonly idle: Fraction;
	/** d alone minus d of the duet: positive if the duet is unfair to head. */
	readonly error: number;
	/** −ln(1 − (1 − √idle)²). */
	readonly bound: number;
}

/** Returns the errors with constant and with random times, with and without timers that end in step. */
export function errorsOf(
	[base, head, service, connections]: (typeof WAITS)[number],
	policy: Setting['policy'],
): DuetError[] {
	const servers = { base: { wait: base, service }, head: { wait: head, service } };
	return [false, true].flatMap((random) =>
		[0, 1].map((tick) => errorOf({ servers, connections, policy, random, tick })),
	);
}

function errorOf(setting: Setting): DuetError {
	const runs = SEEDS.map((seed) => compareServers(setting, seed));
	return {
		idle: mean(runs.map(({ seen }) => seen.idle)),
		error: mean(runs.map(({ duet, alone }) => alone - duet)),
		bound: mean(runs.map(({ seen }) => -Math.log1p(-largestContention(seen.idle)))),
	};
}

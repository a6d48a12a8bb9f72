/** Profiles as V8 writes them, and what they show. Names and paths are untrusted. */
import {
	COUNT,
	described,
	enumOf,
	FLAG,
	type Infer,
	kindsOf,
	listOf,
	literal,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	type Schema,
	SECONDS,
	schemaOf,
	TEXT,
	TEXT_OR_NULL,
} from '../schema.ts';
import type { Microseconds, Sides } from '../units.ts';
import { FUNCTION_STATES } from './counts.ts';

/** `flat`: V8 inlines no function. */
export const PROFILE_MODES = ['natural', 'flat'] as const;
export type ProfileMode = (typeof PROFILE_MODES)[number];

/** Lines and columns count from 0. */
export type CallFrame = Infer<typeof CALL_FRAME>;
const CALL_FRAME = objectOf({ functionName: TEXT, url: TEXT, lineNumber: NUMBER, columnNumber: NUMBER });

export type ProfileNode = Infer<typeof PROFILE_NODE>;
const PROFILE_NODE = objectOf({
	id: COUNT,
	callFrame: CALL_FRAME,
	hitCount: COUNT,
	children: optional(listOf(COUNT)),
});

export type CpuProfile = Infer<typeof CPU_PROFILE>;
export const CPU_PROFILE = listOf(PROFILE_NODE);

export interface SideProfile {
	readonly cost: Microseconds;
	readonly profiles: readonly CpuProfile[];
}

export interface ProfiledRound {
	readonly mode: ProfileMode;
	readonly sides: Sides<SideProfile>;
}

const COST = described(NUMBER, 'CPU time per request, microseconds');

export type CostChange = Infer<typeof COST_CHANGE>;
const COST_CHANGE = objectOf({
	base: COST,
	head: COST,
	change: described(NUMBER, 'head − base, microseconds'),
	low: described(NUMBER_OR_NULL, 'end of a 95 % interval of the change'),
	high: NUMBER_OR_NULL,
});

export type ProfiledFunction = Infer<typeof PROFILED_FUNCTION>;
const PROFILED_FUNCTION = objectOf({
	path: described(TEXT, 'relative to the folder of the side; node:fs; empty for native code'),
	line: described(COUNT, 'in head, or in base if the function is gone; 0 if unknown'),
	name: TEXT,
	package: TEXT_OR_NULL,
	state: enumOf(FUNCTION_STATES),
	versions: optional(described(objectOf({ base: TEXT, head: TEXT }), 'of its package, if they differ')),
	cost: described(COST_CHANGE, 'its own time, with native code that it calls'),
	clear: described(FLAG, 'whether the change stands out of the noise, at a false discovery rate of 10 %'),
});

export type NamedFunction = Infer<typeof NAMED_FUNCTION>;
const NAMED_FUNCTION = objectOf({
	function: described(COUNT, 'index into functions'),
	scope: described(enumOf(['itself', 'callees']), 'callees: with the unchanged functions that it calls'),
	movedFrom: optional(described(COUNT, 'index of a function whose work it does now')),
	cost: COST_CHANGE,
});

export type ProfileCause = Infer<typeof PROFILE_CAUSE>;
const PROFILE_CAUSE = kindsOf([
	objectOf({ kind: literal('located'), functions: listOf(NAMED_FUNCTION) }),
	objectOf({ kind: literal('optimisation-lost') }),
	objectOf({
		kind: literal('not-located'),
		functions: described(COUNT, 'over which the difference is spread; 0 if unknown'),
	}),
	objectOf({ kind: literal('same-cost') }),
]);

export type ProfileFrame = readonly [number, number, number, number];
const PROFILE_FRAME: Schema<ProfileFrame> = schemaOf({
	type: 'array',
	prefixItems: [{ type: 'integer', minimum: -1 }, COUNT, NUMBER, NUMBER],
	minItems: 4,
	items: false,
	description: 'index of the parent, index of the function, base and head: microseconds a request, with callees',
});

export type Profile = Infer<typeof PROFILE>;
export const PROFILE = objectOf({
	rounds: objectOf({ natural: COUNT, flat: described(COUNT, 'without inlining') }),
	plannedRounds: objectOf({ natural: COUNT, flat: COUNT }),
	seconds: SECONDS,
	cost: described(COST_CHANGE, 'with inlining'),
	flat: optional(described(COST_CHANGE, 'without inlining; that of functions and frames')),
	cause: PROFILE_CAUSE,
	functions: listOf(PROFILED_FUNCTION),
	frames: described(listOf(PROFILE_FRAME), 'both call trees as one; parents precede their children'),
	gaps: described(listOf(TEXT), 'processes without a profile'),
});

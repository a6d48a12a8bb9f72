import { COUNT, type Infer, listOf, NUMBER, objectOf, optional, TEXT } from '../schema.ts';
import type { Microseconds, Sides } from '../units.ts';

/** `flat`: V8 inlines no function. */
export const PROFILE_MODES = ['natural', 'flat'] as const;
export type ProfileMode = (typeof PROFILE_MODES)[number];

/** Lines and columns count from 0. Untrusted. */
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

import { enumOf, type Infer, objectOf, TEXT } from './schema.ts';
import type { Side } from './units.ts';

/** In the order of help and messages, with the names for reports. */
export const RUNTIME_LABELS = { node: 'Node', bun: 'Bun', deno: 'Deno' } as const;
export type RuntimeName = keyof typeof RUNTIME_LABELS;
export const RUNTIME_NAMES = Object.keys(RUNTIME_LABELS) as readonly RuntimeName[];

export interface AskedRuntime {
	readonly name: RuntimeName;
	/** `22`, `22.12` or `22.12.0`. When absent, the newest version, or for Node the running binary. */
	readonly version?: string;
}

export interface RuntimeWishes {
	readonly runtime?: AskedRuntime;
	readonly baseRuntime?: AskedRuntime;
	readonly headRuntime?: AskedRuntime;
}

export function askedRuntime(wishes: RuntimeWishes, side: Side): AskedRuntime | undefined {
	return wishes[`${side}Runtime`] ?? wishes.runtime;
}

/** Whether both sides request the same runtime, or neither requests one. */
export function asksForOne(wishes: RuntimeWishes): boolean {
	const [base, head] = [askedRuntime(wishes, 'base'), askedRuntime(wishes, 'head')];
	return base?.name === head?.name && base?.version === head?.version;
}

export type RuntimeInfo = Infer<typeof RUNTIME_INFO>;
export const RUNTIME_INFO = objectOf({
	name: enumOf(RUNTIME_NAMES),
	/** `22.12.0`. */
	version: TEXT,
});

export interface Runtime extends RuntimeInfo {
	/**
	 * Absolute path of a program `node` that runs a script: the runtime or a link to it. Its folder, first on PATH of
	 * the side's servers, contains only this program, the runtime under its own name, and an npm. All such paths have
	 * equal length.
	 */
	readonly node: string;
	/** Absolute cache folder with all its files. */
	readonly folder: string;
}

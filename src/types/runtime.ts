/** What servers written in JavaScript run on. */
import { enumOf, type Infer, objectOf, TEXT } from './schema.ts';
import type { Side } from './units.ts';

/** In the order of help and messages; with how each is written in reports. */
export const RUNTIME_LABELS = { node: 'Node', bun: 'Bun', deno: 'Deno' } as const;
export type RuntimeName = keyof typeof RUNTIME_LABELS;
export const RUNTIME_NAMES = Object.keys(RUNTIME_LABELS) as readonly RuntimeName[];

/** A runtime as somebody asks for it. */
export interface AskedRuntime {
	readonly name: RuntimeName;
	/** `22`, `22.12` or `22.12.0`; the newest when absent, and for Node the binary at hand. */
	readonly version?: string;
}

/** What runtimes a config asks for: of both sides, and of one side alone. */
export interface RuntimeWishes {
	readonly runtime?: AskedRuntime;
	readonly baseRuntime?: AskedRuntime;
	readonly headRuntime?: AskedRuntime;
}

/** Returns what a config asks for on one side; undefined when it does not. */
export function askedRuntime(wishes: RuntimeWishes, side: Side): AskedRuntime | undefined {
	return wishes[`${side}Runtime`] ?? wishes.runtime;
}

/** Returns whether a config asks for the same on both sides: also for nothing on either. */
export function asksForOne(wishes: RuntimeWishes): boolean {
	const [base, head] = [askedRuntime(wishes, 'base'), askedRuntime(wishes, 'head')];
	return base?.name === head?.name && base?.version === head?.version;
}

/** What servers of a side ran on, exactly. */
export type RuntimeInfo = Infer<typeof RUNTIME_INFO>;
export const RUNTIME_INFO = objectOf({
	name: enumOf(RUNTIME_NAMES),
	/** `22.12.0`. */
	version: TEXT,
});

/** A runtime that can be started. */
export interface Runtime extends RuntimeInfo {
	/**
	 * Absolute path of a program called `node` that takes a script: the runtime itself, or a link to it. Its folder comes first on
	 * PATH of the side's servers, and has nothing else in it but the runtime under its own name, and an npm. Of equal length for all.
	 */
	readonly node: string;
	/** Absolute folder in the cache with everything that belongs to it. */
	readonly folder: string;
}

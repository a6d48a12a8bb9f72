import type { Environment } from '../types/result.ts';
import { type AskedRuntime, RUNTIME_LABELS, RUNTIME_NAMES, type RuntimeInfo } from '../types/runtime.ts';
import type { Side } from '../types/units.ts';

/** What a runtime can be written as. */
export const RUNTIME_FORM = 'node@22, node@22.12.0, bun, bun@1, deno or deno@2; node alone is the Node at hand';

/** The same as a regular expression, with name and version as its groups. */
export const RUNTIME_PATTERN = `^(${RUNTIME_NAMES.join('|')})(?:@(\\d+(?:\\.\\d+){0,2}))?$`;

/** Returns the runtime that `node@22` asks for; undefined for a text that is none. */
export function readRuntime(text: string): AskedRuntime | undefined {
	const [, name, version] = new RegExp(RUNTIME_PATTERN).exec(text) ?? [];
	if (name === undefined) return undefined;
	return { name: name as AskedRuntime['name'], ...(version !== undefined && { version }) };
}

/** Returns a runtime as one asks for it: `node@22`. */
export function writeRuntime({ name, version }: AskedRuntime): string {
	return version === undefined ? name : `${name}@${version}`;
}

/** Returns a runtime as reports name it: `Node 22.12.0`. */
export function nameRuntime({ name, version }: RuntimeInfo): string {
	return `${RUNTIME_LABELS[name]} ${version}`;
}

/** Returns what servers of a side ran on. Where nobody asked for a runtime that is the Node at hand. */
export function runtimeOf({ runtimes, node }: Pick<Environment, 'runtimes' | 'node'>, side: Side): RuntimeInfo {
	return runtimes?.[side] ?? { name: 'node', version: node };
}

/** Returns whether the sides of a run differ in what they ran on. */
export function differInRuntime(environment: Pick<Environment, 'runtimes' | 'node'>): boolean {
	return nameRuntime(runtimeOf(environment, 'base')) !== nameRuntime(runtimeOf(environment, 'head'));
}

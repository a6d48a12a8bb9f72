import type { Environment } from '../types/result.ts';
import { type AskedRuntime, RUNTIME_LABELS, RUNTIME_NAMES, type RuntimeInfo } from '../types/runtime.ts';
import type { Side } from '../types/units.ts';

export const RUNTIME_FORM = 'node@22, node@22.12.0, bun, bun@1, deno or deno@2; node alone is the Node at hand';

/** Groups: name, version. */
export const RUNTIME_PATTERN = `^(${RUNTIME_NAMES.join('|')})(?:@(\\d+(?:\\.\\d+){0,2}))?$`;

/** Parses `node@22`; undefined for other texts. */
export function readRuntime(text: string): AskedRuntime | undefined {
	const [, name, version] = new RegExp(RUNTIME_PATTERN).exec(text) ?? [];
	if (name === undefined) return undefined;
	return { name: name as AskedRuntime['name'], ...(version !== undefined && { version }) };
}

/** Returns `node@22`. */
export function writeRuntime({ name, version }: AskedRuntime): string {
	return version === undefined ? name : `${name}@${version}`;
}

/** Returns `Node 22.12.0`. */
export function nameRuntime({ name, version }: RuntimeInfo): string {
	return `${RUNTIME_LABELS[name]} ${version}`;
}

/** Returns the current Node unless another runtime was requested. */
export function runtimeOf({ runtimes, node }: Pick<Environment, 'runtimes' | 'node'>, side: Side): RuntimeInfo {
	return runtimes?.[side] ?? { name: 'node', version: node };
}

export function differInRuntime(environment: Pick<Environment, 'runtimes' | 'node'>): boolean {
	return nameRuntime(runtimeOf(environment, 'base')) !== nameRuntime(runtimeOf(environment, 'head'));
}

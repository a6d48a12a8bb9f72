import { findRuntimes } from '../prepare/find-runtimes.ts';
import { nameRuntime } from '../text/runtime-words.ts';
import type { RuntimeInfo } from '../types/runtime.ts';
import { SIDES, type Sides, type Warning } from '../types/units.ts';
import { type IsolatedPair, prepareContextOf } from './verify-pair.ts';

/** Adds runtimes, which are installed if missing. Throws like `findRuntimes`. */
export async function withRuntimes<T extends IsolatedPair>(options: T): Promise<T & Pick<IsolatedPair, 'runtimes'>> {
	const runtimes = await findRuntimes(options.config, prepareContextOf(options));
	return runtimes === undefined ? options : { ...options, runtimes };
}

/** Returns warnings, per side, on limitations of runtimes other than Node. */
export function runtimeWarnings(runtimes: Sides<RuntimeInfo> | undefined): Warning[] {
	if (runtimes === undefined) return [];
	const others = SIDES.filter((side) => runtimes[side].name !== 'node');
	return others.map((side) => otherRuntime(`On ${side}, ${nameRuntime(runtimes[side])}`));
}

export function otherRuntime(what: string): Warning {
	return {
		code: 'other-runtime',
		message: `${what} is started without Node's options: how many helper threads it has is not fixed, and its debugger is not turned off.`,
	};
}

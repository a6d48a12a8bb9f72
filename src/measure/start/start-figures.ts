/** What a fresh process is like before any load: how long its start took, and its memory at rest. */
import { waitUntilAtRest } from '../../process/at-rest.ts';
import { listTrees, readResident } from '../../process/process-tree.ts';
import type { HttpRequest } from '../../types/config.ts';
import type { SideStart } from '../../types/round.ts';
import type { Side, Sides } from '../../types/units.ts';
import { ask, NoAnswer } from '../answers/ask.ts';
import type { FirstAsk, Pair } from '../pair.ts';

const TIMEOUT_MS = 2_000;

/** Returns what asks a server `request` once. It has answered unless nothing came, or a status of 500 or more. */
export function firstAskOf(request: HttpRequest): FirstAsk {
	return async (origin) => {
		try {
			const { status } = await ask(origin, request, { timeoutMs: TIMEOUT_MS });
			return status < 500;
		} catch (error) {
			if (error instanceof NoAnswer) return false;
			throw error;
		}
	};
}

/** Returns what the processes of a pair are like that nobody has loaded yet, once both have nothing to do. */
export async function readStart(pair: Pair): Promise<Sides<SideStart>> {
	await waitUntilAtRest(pair);
	const trees = listTrees(pair);
	const of = (side: Side): SideStart => ({
		seconds: pair.coldStart[side],
		memory: readResident(trees[side]),
	});
	return { base: of('base'), head: of('head') };
}

/** What a fresh process is like before any load: how long its start took, and its memory at rest. */
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntilAtRest } from '../../process/at-rest.ts';
import { listTrees, readResident } from '../../process/process-tree.ts';
import type { Scenario } from '../../types/config.ts';
import type { SideStart } from '../../types/round.ts';
import type { Seconds, Side, Sides } from '../../types/units.ts';
import { ask, NoAnswer } from '../answers/ask.ts';
import type { FirstAsk, Pair } from '../pair.ts';
import { START_POLL_MS } from './readiness.ts';

const TIMEOUT_MS = 2_000;
/** A server that answers, but still not right after this time, is not waited for. */
const MOST_SECONDS: Seconds = 10;

/**
 * Returns what asks a server for a scenario until the answer has a status that the scenario expects. A server that is not ready may
 * answer 404 or 503 before that. Where it is not known what is right, because requests are filled from a data file, any status below
 * 500 is. False where nothing came, or nothing right within `mostSeconds`.
 */
export function firstAskOf(
	scenario: Pick<Scenario, 'request' | 'expect' | 'learn' | 'data'>,
	signal: AbortSignal,
	mostSeconds = MOST_SECONDS,
): FirstAsk {
	const { request, expect } = scenario.learn ?? scenario;
	const isKnown = scenario.data === undefined || scenario.learn !== undefined;
	const isRight = (status: number) => (isKnown ? expect.status.includes(status) : status < 500);
	return async (origin) => {
		const due = performance.now() + mostSeconds * 1000;
		try {
			while (performance.now() < due) {
				const { status } = await ask(origin, request, { timeoutMs: TIMEOUT_MS });
				if (isRight(status)) return true;
				await delay(START_POLL_MS, undefined, { signal });
			}
			return false;
		} catch (error) {
			signal.throwIfAborted();
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

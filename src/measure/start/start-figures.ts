/** Start time, and memory at rest, before any load. */
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
/** For a server that answers, but not correctly yet. */
const MOST_SECONDS: Seconds = 10;

/**
 * Returns a function that repeats a scenario's request until the status is expected: a starting server may answer 404
 * or 503. With a data file any status below 500 counts. Resolves to false without a right answer within `mostSeconds`.
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

/** Waits until the unloaded pair is at rest, and returns its figures. */
export async function readStart(pair: Pair): Promise<Sides<SideStart>> {
	await waitUntilAtRest(pair);
	const trees = listTrees(pair);
	const of = (side: Side): SideStart => ({
		seconds: pair.coldStart[side],
		memory: readResident(trees[side]),
	});
	return { base: of('base'), head: of('head') };
}

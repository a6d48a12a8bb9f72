/** The generator's event loop: kept from sleeping where it may, and how busy it was. */
import { performance } from 'node:perf_hooks';
import type { Fraction } from '../../types/units.ts';

export interface EventLoop {
	/** Notes the moment; returns what gives the share of the time since then in which there was something to do. */
	startUtilisation(): () => Fraction;
	/** Lets the loop sleep again. */
	release(): void;
}

/**
 * Returns a view of this process's event loop. With `awake` the loop never sleeps until it is released. A server that answers
 * a sleeping generator has to wake it. On a virtual machine that costs the server a fifth of its time, and a slow server more
 * than a fast one (docs/measuring.md). Only for a generator with a CPU of its own. In an awake loop, a pass without a new answer
 * is a pass in which there was nothing to do; `countAnswers` returns how many have arrived, errors among them. `clock` is read
 * once a pass, and at both ends of a window.
 */
export function watchEventLoop(
	awake: boolean,
	countAnswers: () => number,
	clock: () => number = () => performance.now(),
): EventLoop {
	return awake ? stayAwake(countAnswers, clock) : leaveAlone();
}

function leaveAlone(): EventLoop {
	return {
		startUtilisation() {
			const first = performance.eventLoopUtilization();
			return () => performance.eventLoopUtilization(first).utilization;
		},
		release() {},
	};
}

function stayAwake(countAnswers: () => number, clock: () => number): EventLoop {
	let held = true;
	let idle = 0;
	let passedAt = clock();
	let answers = countAnswers();
	/** Counts the time since the last cut as what the pass has been so far, and returns the moment. */
	const cutPass = () => {
		const now = clock();
		if (countAnswers() === answers) idle += now - passedAt;
		passedAt = now;
		return now;
	};
	const pass = () => {
		if (!held) return;
		cutPass();
		answers = countAnswers();
		setImmediate(pass);
	};
	setImmediate(pass);
	return {
		startUtilisation() {
			// The pass that is under way began before the window: what came before is none of its time.
			const startedAt = cutPass();
			const idleBefore = idle;
			// What is left of the pass at the end may yet have an answer, so it counts as busy. A sum of fractions can exceed the whole.
			return () => Math.max(0, 1 - (idle - idleBefore) / (clock() - startedAt));
		},
		release() {
			held = false;
		},
	};
}

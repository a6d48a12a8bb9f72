import { performance } from 'node:perf_hooks';
import type { Fraction } from '../../types/units.ts';

export interface EventLoop {
	/** The returned function gives the busy share of the time since then. */
	startUtilisation(): () => Fraction;
	release(): void;
}

/**
 * With `awake` the loop never sleeps until released: waking a generator costs the server time (decision 0009). It needs
 * its own CPU. An awake loop counts a pass without a new answer or error (`countAnswers`) as idle. `clock` is
 * read once a pass, and at both ends of a window.
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
			// The current pass began before the window.
			const startedAt = cutPass();
			const idleBefore = idle;
			// The unfinished pass counts as busy, because it may still have an answer. A sum of fractions can exceed
			// the whole.
			return () => Math.max(0, 1 - (idle - idleBefore) / (clock() - startedAt));
		},
		release() {
			held = false;
		},
	};
}

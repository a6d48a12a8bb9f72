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
 * Returns a view of this process's event loop. With `awake` the loop never sleeps until it is released: a server that answers a
 * sleeping generator has to wake it, which costs the server a fifth of its time on a virtual machine, and the more so the slower
 * the server is (docs/measuring.md). For a generator with a CPU of its own only. A pass through the loop without a new answer
 * is then one in which there was nothing to do; `countAnswers` returns how many have arrived, errors among them. `clock` is read
 * once a pass.
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
	const pass = () => {
		if (!held) return;
		const now = clock();
		const count = countAnswers();
		if (count === answers) idle += now - passedAt;
		passedAt = now;
		answers = count;
		setImmediate(pass);
	};
	setImmediate(pass);
	return {
		startUtilisation() {
			const first = { idle, at: clock() };
			// The pass that was under way at the start may have begun before it.
			return () => Math.max(0, 1 - (idle - first.idle) / (clock() - first.at));
		},
		release() {
			held = false;
		},
	};
}

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
 * is then one in which there was nothing to do; `countAnswers` returns how many have arrived, errors among them.
 */
export function watchEventLoop(awake: boolean, countAnswers: () => number): EventLoop {
	return awake ? stayAwake(countAnswers) : leaveAlone();
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

function stayAwake(countAnswers: () => number): EventLoop {
	let held = true;
	let idle = 0;
	let passedAt = performance.now();
	let answers = countAnswers();
	const pass = () => {
		if (!held) return;
		const now = performance.now();
		const count = countAnswers();
		if (count === answers) idle += now - passedAt;
		passedAt = now;
		answers = count;
		setImmediate(pass);
	};
	setImmediate(pass);
	return {
		startUtilisation() {
			const first = { idle, at: performance.now() };
			return () => 1 - (idle - first.idle) / (performance.now() - first.at);
		},
		release() {
			held = false;
		},
	};
}

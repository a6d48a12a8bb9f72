/** Windows of servers whose answers take long: how long windows are then, and how much of an answer lies in each. Pure. */
import type { Load } from '../../types/config.ts';
import type { Timing } from '../../types/plan.ts';
import type { Seconds } from '../../types/units.ts';

/** An answer that takes longer is not waited for. Connections are given up after as long. */
export const LONGEST_ANSWER_MS = 10_000;
/** Answers that each connection gives at least in the counted time of a round, and that all connections give together. */
const FEWEST_LAPS = 2;
const FEWEST_ANSWERS = 12;
/** Most counted seconds of a round, in a duet or of each side. */
const LONGEST_COUNTED: Seconds = 30;

/**
 * Returns `timing` with windows that are long enough for a server whose answers take `lap` seconds: two on each connection, and twelve in
 * all. What connections answer first is not counted where they are opened for a window. `lap` is base's in every case, so that head has no
 * say in it.
 */
export function lengthenWindows(
	timing: Timing,
	{ connections, pipelining }: Pick<Load, 'connections' | 'pipelining'>,
	lap: Seconds,
): Timing {
	const { windows, windowSeconds, settleSeconds } = timing;
	const counted = lap * Math.max(FEWEST_LAPS, FEWEST_ANSWERS / (connections * pipelining));
	return {
		...timing,
		settleSeconds: Math.max(settleSeconds, Math.min(lap, LONGEST_ANSWER_MS / 1000)),
		windowSeconds:
			windows === 0 ? windowSeconds : Math.max(windowSeconds, Math.min(counted, LONGEST_COUNTED) / windows),
	};
}

/** A stretch of time, in milliseconds, and the answers that fall into it. */
interface Stretch {
	readonly from: number;
	to: number;
	answers: number;
}

/**
 * Counts answers by the time they took: an answer that took two seconds, one of them in a window, counts half there. In a closed loop this
 * sum has the mean of the number of answers (each answer adds up to 1, wherever windows begin), but it does not jump by as many as there
 * are connections when all of them are answered at once. What is under way when a window ends counts once it is answered, so a side gains
 * nothing by what it does after that. Source: Little's law at every moment, Σ 1/latency of what is under way is the rate (docs/statistics.md
 * 6.10).
 */
export class AnswerShares {
	readonly #windows: Stretch[] = [];

	/** Begins a window at a moment. */
	begin(from: number): void {
		this.#windows.push({ from, to: Number.POSITIVE_INFINITY, answers: 0 });
	}

	/** Ends the window that was begun last. */
	end(to: number): void {
		const open = this.#windows.at(-1);
		if (open) open.to = to;
	}

	/** Adds an answer to a request that was sent at `since`, and that arrived at `at`. */
	add(since: number, at: number): void {
		for (let index = this.#windows.length - 1; index >= 0; index--) {
			const window = this.#windows[index] as Stretch;
			if (window.to <= since) return;
			if (since >= window.from && at <= window.to) {
				window.answers++;
				return;
			}
			window.answers += Math.max(0, Math.min(at, window.to) - Math.max(since, window.from)) / (at - since);
		}
	}

	/** Returns the answers of the last `count` windows, in order: to be read when what was under way has been answered. */
	last(count: number): readonly number[] {
		return this.#windows.slice(-count).map(({ answers }) => answers);
	}
}

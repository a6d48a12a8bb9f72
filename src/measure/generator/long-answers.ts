import type { Load } from '../../types/config.ts';
import type { Timing } from '../../types/plan.ts';
import type { Seconds } from '../../types/units.ts';

/** Longest wait for an answer. Afterwards connections are given up. */
export const LONGEST_ANSWER_MS = 10_000;
/** Fewest answers counted in a round: per connection, and in total. */
const FEWEST_LAPS = 2;
const FEWEST_ANSWERS = 12;
/** Per round: in a duet for both sides together, else for each side. */
const LONGEST_COUNTED: Seconds = 30;

/**
 * Returns `timing` with windows long enough for answers that take `lap` seconds: two per connection and twelve in
 * total. `lap` is always base's: head must not choose the length.
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

interface Stretch {
	readonly from: number;
	to: number;
	answers: number;
}

/**
 * Counts answers by time: of an answer that took two seconds, one of them in a window, half counts there. Requests
 * under way at a window's end count once answered, so delaying them gains nothing. Source: Little's law
 * (docs/statistics.md 6.10).
 */
export class AnswerShares {
	readonly #windows: Stretch[] = [];

	begin(from: number): void {
		this.#windows.push({ from, to: Number.POSITIVE_INFINITY, answers: 0 });
	}

	end(to: number): void {
		const open = this.#windows.at(-1);
		if (open) open.to = to;
	}

	/** Times are in milliseconds. */
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

	/** Returns the answers of the last `count` windows. Call it once the requests under way are answered. */
	last(count: number): readonly number[] {
		return this.#windows.slice(-count).map(({ answers }) => answers);
	}
}

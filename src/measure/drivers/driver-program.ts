import type { Load } from '../../types/config.ts';
import type { Stage } from '../../types/plan.ts';
import type { LatencyHistogram, WindowSide } from '../../types/round.ts';
import type { Bytes, Seconds, Side } from '../../types/units.ts';
import type { Target } from '../generator/messages.ts';

/** What another program is asked to load, alone. */
export interface DriverLoad {
	readonly target: Target;
	readonly side: Side;
	readonly load: Pick<Load, 'connections' | 'pipelining'>;
	readonly seconds: Seconds;
	/** How connections come and go, from none; all are there all the time when absent. */
	readonly stages?: readonly Stage[];
	/** Statuses of right answers. */
	readonly statuses: readonly number[];
	readonly runStartedAt: number;
}

/** What a program counted, as far as it tells. */
export interface DriverReport
	extends Pick<WindowSide, 'completed' | 'statuses' | 'unexpected' | 'errors' | 'timeouts' | 'perSecond'> {
	readonly bytes: Bytes;
	readonly seconds: Seconds;
	readonly latency: LatencyHistogram;
}

/** A load generator of somebody else's. */
export interface DriverProgram {
	/** Arguments with which it only says who it is. */
	readonly probe: readonly string[];
	/** How it is installed. */
	readonly remedy: string;
	/** What runs the script, where it is not the program itself. */
	readonly command?: readonly string[];
	/** Name of the file that `script` is written to. */
	readonly file: string;
	/** Returns the program that it runs, which prints what `read` reads. */
	script(order: DriverLoad): string;
	/** Returns its arguments; `path` is where the script is. */
	argv(order: DriverLoad, path: string): readonly string[];
	/** Returns what it printed; null for anything else. */
	read(output: string, order: DriverLoad): DriverReport | null;
	/** Lines that it writes to its errors right before its first request and right after its last; absent where it does nothing else. */
	readonly marks?: { readonly began: string; readonly ended: string };
}

/** Digits of a latency that are kept. */
const DIGITS = 3;

/** Returns latencies as a histogram: microseconds to three significant digits, one at least. */
export function histogramOf(latencies: Iterable<readonly [microseconds: number, count: number]>): LatencyHistogram {
	const counts = new Map<number, number>();
	for (const [microseconds, count] of latencies) {
		if (!(microseconds >= 0) || !(count > 0)) continue;
		const kept = Number(Math.max(1, microseconds).toPrecision(DIGITS));
		counts.set(kept, (counts.get(kept) ?? 0) + count);
	}
	return [...counts].sort(([one], [other]) => one - other);
}

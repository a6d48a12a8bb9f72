import type { Load } from '../../types/config.ts';
import type { Stage } from '../../types/plan.ts';
import type { LatencyHistogram, WindowSide } from '../../types/round.ts';
import type { Bytes, Seconds, Side } from '../../types/units.ts';
import type { Target } from '../generator/messages.ts';

export interface DriverLoad {
	readonly target: Target;
	readonly side: Side;
	readonly load: Pick<Load, 'connections' | 'pipelining'>;
	readonly seconds: Seconds;
	/** Connections over time, from zero. Default: constant. */
	readonly stages?: readonly Stage[];
	readonly statuses: readonly number[];
	readonly runStartedAt: number;
}

export interface DriverReport
	extends Pick<WindowSide, 'completed' | 'statuses' | 'unexpected' | 'errors' | 'timeouts' | 'perSecond'> {
	readonly bytes: Bytes;
	readonly seconds: Seconds;
	readonly latency: LatencyHistogram;
}

export interface DriverProgram {
	/** Arguments that only print its version. */
	readonly probe: readonly string[];
	readonly remedy: string;
	/** Runs the script, if the program itself does not. */
	readonly command?: readonly string[];
	readonly file: string;
	script(order: DriverLoad): string;
	/** `path`: the script. */
	argv(order: DriverLoad, path: string): readonly string[];
	/** Parses the script's output; null if malformed. */
	read(output: string, order: DriverLoad): DriverReport | null;
	/** Lines on stderr right before the first request and after the last. Absent if the program does nothing else. */
	readonly marks?: { readonly began: string; readonly ended: string };
}

const DIGITS = 3;

/** Returns microseconds, at least 1, to three significant digits. */
export function histogramOf(latencies: Iterable<readonly [microseconds: number, count: number]>): LatencyHistogram {
	const counts = new Map<number, number>();
	for (const [microseconds, count] of latencies) {
		if (!(microseconds >= 0) || !(count > 0)) continue;
		const kept = Number(Math.max(1, microseconds).toPrecision(DIGITS));
		counts.set(kept, (counts.get(kept) ?? 0) + count);
	}
	return [...counts].sort(([one], [other]) => one - other);
}

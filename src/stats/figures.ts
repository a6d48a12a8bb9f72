import { METRICS, type MetricName } from '../types/metric.ts';
import type { CellRound, CountedAmounts, LatencyHistogram, SideStart, Vitals, Window } from '../types/round.ts';
import type { Bytes, Side } from '../types/units.ts';
import { histogramQuantile } from './histogram.ts';
import { answersOf, poolLatency, poolTotals, sideOf, type Totals } from './windows.ts';

/** Input of every metric: one side, pooled over windows of a turn. */
export interface PooledSide {
	readonly totals: Totals;
	readonly latency: LatencyHistogram;
	readonly memoryPeak: Bytes | null;
	readonly memoryAfterLoad: Bytes | null;
	readonly memoryAfter: Bytes | null;
	readonly vitals: Vitals | null;
	/** Start of the process, before any load; null after its first turn. */
	readonly start: SideStart | null;
	/** By repeat. */
	readonly counted: readonly CountedAmounts[];
}

export function poolSide(cellRound: CellRound, windows: readonly Window[], side: Side): PooledSide {
	const parts = sideOf(windows, side);
	return {
		totals: poolTotals(parts),
		latency: poolLatency(parts),
		memoryPeak: cellRound.memoryPeak[side],
		memoryAfterLoad: cellRound.memoryAfterLoad?.[side] ?? null,
		memoryAfter: cellRound.memoryAfter?.[side] ?? null,
		vitals: cellRound.vitals?.[side] ?? null,
		start: cellRound.start?.[side] ?? null,
		counted: cellRound.counted?.map((repeat) => repeat[side]) ?? [],
	};
}

/** Returns `metric` of one side in raw units (s, µs, bytes); null if unavailable. */
export function figureOf(metric: MetricName, side: PooledSide): number | null {
	const { source } = METRICS[metric];
	switch (source.per) {
		case 'window':
			return totalsFigure(metric, side.totals);
		case 'start':
			return side.start?.[source.ofStart] ?? null;
		case 'count':
			return leastOf(side.counted.map((amounts) => amounts[source.ofCounted]));
		case 'turn':
			if ('latencyQuantile' in source) return histogramQuantile(side.latency, source.latencyQuantile);
			return 'ofVitals' in source ? (side.vitals?.[source.ofVitals] ?? null) : side[source.wholeTurn];
	}
}

/** Timers add work to some repeats, never take it away. */
function leastOf(amounts: readonly (number | null)[]): number | null {
	const known = amounts.filter((amount) => amount !== null);
	return known.length === 0 || known.length < amounts.length ? null : Math.min(...known);
}

export function totalsFigure(metric: MetricName, totals: Totals): number | null {
	const { source } = METRICS[metric];
	if (source.per !== 'window') return null;
	const answers = answersOf(totals);
	// Bytes are counted with whole answers, so they are scaled to the answers weighted by time.
	const part = totals.completed === 0 ? 1 : answers / totals.completed;
	const { seconds, bytes, cpuSeconds } = totals;
	const counted = { seconds, answers, bytes: bytes * part, cpuSeconds };
	const [divided, by] = [counted[source.divide], counted[source.by]];
	return divided === null || !by ? null : divided / by;
}

import { enumOf } from './schema.ts';
import type { Fraction } from './units.ts';

/** Counts per side and window. */
export type Counted = 'seconds' | 'answers' | 'bytes' | 'cpuSeconds';

/** Where the raw data has the metric, and so how a round's log ratio is made. */
export type MetricSource =
	/** A ratio of two counts. The round's log ratio is the centre over its windows. */
	| { readonly per: 'window'; readonly divide: Counted; readonly by: Counted }
	/** A latency quantile in µs, pooled over the turn's windows. One log ratio per turn. */
	| { readonly per: 'turn'; readonly latencyQuantile: Fraction }
	/** One log ratio per turn. */
	| { readonly per: 'turn'; readonly wholeTurn: 'memoryPeak' | 'memoryAfterLoad' | 'memoryAfter' }
	/** Reported by each side's own processes. */
	| { readonly per: 'turn'; readonly ofVitals: 'gcShare' | 'gcCount' | 'gcLongest' | 'loopActive' }
	/** Measured on fresh processes before any load. One log ratio per server and round. */
	| { readonly per: 'start'; readonly ofStart: 'seconds' | 'memory' | 'reload' | 'hotReload' }
	/** Counted exactly, once a cell, after all rounds. It can fail a row, but never improves one. */
	| { readonly per: 'count'; readonly ofCounted: 'roundTrips' | 'calls' | 'bytesAllocated' };

/** `better` alone decides which direction is worse. */
export interface Metric {
	readonly label: string;
	readonly better: 'higher' | 'lower';
	readonly source: MetricSource;
	readonly unit: 'requests/s' | 'MB/s' | 'µs' | 'ms' | 'MB' | '%' | 'a turn' | 'a request';
	/** Factor from the raw number to `unit`. */
	readonly scale: number;
	/** `slower` and `faster` when absent. */
	readonly words?: { readonly worse: string; readonly better: string };
	/** Reports show it only if gated. */
	readonly gatedOnly?: true;
	/** Gates refuse it, because it means nothing for a change or the code under test can forge it. */
	readonly ungated?: true;
	/** Default threshold; the scenario's when absent. */
	readonly threshold?: Fraction;
}

function latency<Q extends Fraction>(percent: string, latencyQuantile: Q, threshold: Fraction) {
	const source = { per: 'turn', latencyQuantile } as const;
	return { label: `latency p${percent}`, better: 'lower', source, unit: 'ms', scale: 1 / 1000, threshold } as const;
}

function memory<S extends MetricSource>(label: string, source: S, threshold: Fraction) {
	const words = { worse: 'worse', better: 'better' };
	return { label, better: 'lower', source, unit: 'MB', scale: 1 / 1e6, threshold, words } as const;
}

function count<C extends 'roundTrips' | 'calls' | 'bytesAllocated'>(label: string, ofCounted: C) {
	const source = { per: 'count', ofCounted } as const;
	return { label, better: 'lower', source, unit: 'a request', scale: 1, threshold: 0, gatedOnly: true } as const;
}

const GATED_ONLY = { gatedOnly: true } as const;
const UNGATED = { ...GATED_ONLY, ungated: true } as const;

const VITAL_SCALES = { '%': 100, ms: 1000, 'a turn': 1 } as const;

function vital<V extends 'gcShare' | 'gcCount' | 'gcLongest' | 'loopActive'>(
	label: string,
	ofVitals: V,
	unit: keyof typeof VITAL_SCALES,
) {
	const scale = VITAL_SCALES[unit];
	return { label, better: 'lower', source: { per: 'turn', ofVitals }, unit, scale, ...UNGATED } as const;
}

// Rarer events have a larger spread and so a larger default threshold.
const TABLE = {
	throughput: {
		label: 'throughput',
		better: 'higher',
		source: { per: 'window', divide: 'answers', by: 'seconds' },
		unit: 'requests/s',
		scale: 1,
	},
	transfer: {
		label: 'transfer',
		better: 'higher',
		source: { per: 'window', divide: 'bytes', by: 'seconds' },
		unit: 'MB/s',
		scale: 1 / 1e6,
		...GATED_ONLY,
	},
	'cpu-per-request': {
		label: 'CPU per request',
		better: 'lower',
		source: { per: 'window', divide: 'cpuSeconds', by: 'answers' },
		unit: 'µs',
		scale: 1e6,
	},
	// In a duet each side always gets half a CPU: meaningful only for a server alone, or on several CPUs.
	'cpu-used': {
		label: 'CPU used',
		better: 'lower',
		source: { per: 'window', divide: 'cpuSeconds', by: 'seconds' },
		unit: '%',
		scale: 100,
		...UNGATED,
	},
	'latency-p2.5': { ...latency('2.5', 0.025, 0.1), ...GATED_ONLY },
	'latency-p50': latency('50', 0.5, 0.1),
	'latency-p90': { ...latency('90', 0.9, 0.15), ...GATED_ONLY },
	'latency-p95': { ...latency('95', 0.95, 0.2), ...GATED_ONLY },
	'latency-p97.5': { ...latency('97.5', 0.975, 0.2), ...GATED_ONLY },
	'latency-p99': latency('99', 0.99, 0.25),
	'latency-p99.9': { ...latency('99.9', 0.999, 0.5), ...GATED_ONLY },
	'memory-peak': memory('peak memory', { per: 'turn', wholeTurn: 'memoryPeak' }, 0.1),
	'memory-after-load': {
		...memory('memory after load', { per: 'turn', wholeTurn: 'memoryAfterLoad' }, 0.1),
		...GATED_ONLY,
	},
	'memory-after-100k': {
		...memory('memory after 100,000 requests', { per: 'turn', wholeTurn: 'memoryAfter' }, 0.1),
		...GATED_ONLY,
	},
	'memory-at-rest': { ...memory('memory at rest', { per: 'start', ofStart: 'memory' }, 0.05), ...GATED_ONLY },
	'cold-start': {
		label: 'cold start',
		better: 'lower',
		source: { per: 'start', ofStart: 'seconds' },
		unit: 'ms',
		scale: 1000,
		threshold: 0.15,
		...GATED_ONLY,
	},
	reload: {
		label: 'reload',
		better: 'lower',
		source: { per: 'start', ofStart: 'reload' },
		unit: 'ms',
		scale: 1000,
		threshold: 0.15,
		...GATED_ONLY,
	},
	'round-trips': count('round trips', 'roundTrips'),
	// From here on, the code under test reports the values itself, or can forge them.
	calls: count('calls', 'calls'),
	'bytes-allocated': count('bytes allocated', 'bytesAllocated'),
	'hot-reload': {
		label: 'hot reload',
		better: 'lower',
		source: { per: 'start', ofStart: 'hotReload' },
		unit: 'ms',
		scale: 1000,
		...UNGATED,
	},
	'gc-share': vital('GC share', 'gcShare', '%'),
	'gc-count': vital('collections', 'gcCount', 'a turn'),
	'gc-longest': vital('longest GC', 'gcLongest', 'ms'),
	'event-loop': vital('event loop', 'loopActive', '%'),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof TABLE;

/** In report order. */
export const METRICS: Readonly<Record<MetricName, Metric>> = TABLE;

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

export const GATED_METRICS = METRIC_NAMES.filter((name) => !METRICS[name].ungated);
export const METRIC = enumOf(GATED_METRICS);
export const RANKING_METRIC = enumOf(METRIC_NAMES);

export const SHOWN_METRICS = METRIC_NAMES.filter((name) => !METRICS[name].gatedOnly);

/** For `memory-after-100k`. */
export const FOOTPRINT_REQUESTS = 100_000;

/** Whether a metric has one row per server, not per cell. */
export function isOfServer(metric: MetricName): boolean {
	return METRICS[metric].source.per === 'start';
}

/** Whether a metric is a count, whose threshold is a rise and may be 0. */
export function isCounted(metric: MetricName): boolean {
	return METRICS[metric].source.per === 'count';
}

export function isLatency(metric: MetricName): boolean {
	return 'latencyQuantile' in METRICS[metric].source;
}

export function isOfWindows(metric: MetricName): boolean {
	return METRICS[metric].source.per === 'window' || isLatency(metric);
}

/** Returns a row's `server/scenario`, or its server alone. */
export function placeOfRow(cell: string, metric: MetricName): string {
	return isOfServer(metric) ? cell.slice(0, cell.indexOf('/')) : cell;
}

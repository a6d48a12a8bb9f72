import type { Fraction } from './units.ts';

/** What both sides count in each window. CPU time is null where the platform cannot tell. */
export type Counted = 'seconds' | 'completed' | 'bytes' | 'unexpected' | 'errors' | 'cpuSeconds';

/** Where a metric is read in the raw data of a turn, and with it what one round's log ratio is made of. */
export type MetricSource =
	/** One count divided by another in every window: the round's log ratio is the centre of those of its windows. */
	| { readonly per: 'window'; readonly divide: Counted; readonly by: Counted }
	/** A quantile of a side's latencies in all windows of the turn together, in µs. One log ratio per turn. */
	| { readonly per: 'turn'; readonly latencyQuantile: Fraction }
	/** A number each side has once for the whole turn, whatever its windows. One log ratio per turn. */
	| { readonly per: 'turn'; readonly wholeTurn: 'memoryPeak' };

/** A metric a cell is measured in: all there is to know about it, in one place. Worse is decided only by `better`. */
export interface Metric {
	readonly label: string;
	readonly better: 'higher' | 'lower';
	readonly source: MetricSource;
	readonly unit: 'requests/s' | 'µs' | 'ms' | 'MB';
	/** What the raw number is multiplied by to be in `unit`. */
	readonly scale: number;
}

const TABLE = {
	throughput: {
		label: 'throughput',
		better: 'higher',
		source: { per: 'window', divide: 'completed', by: 'seconds' },
		unit: 'requests/s',
		scale: 1,
	},
	'cpu-per-request': {
		label: 'CPU per request',
		better: 'lower',
		source: { per: 'window', divide: 'cpuSeconds', by: 'completed' },
		unit: 'µs',
		scale: 1e6,
	},
	'latency-p50': {
		label: 'latency p50',
		better: 'lower',
		source: { per: 'turn', latencyQuantile: 0.5 },
		unit: 'ms',
		scale: 1 / 1000,
	},
	'latency-p99': {
		label: 'latency p99',
		better: 'lower',
		source: { per: 'turn', latencyQuantile: 0.99 },
		unit: 'ms',
		scale: 1 / 1000,
	},
	'memory-peak': {
		label: 'peak memory',
		better: 'lower',
		source: { per: 'turn', wholeTurn: 'memoryPeak' },
		unit: 'MB',
		scale: 1 / 1e6,
	},
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof TABLE;

/** Every metric, in the order reports list them. */
export const METRICS: Readonly<Record<MetricName, Metric>> = TABLE;

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

/** Pure: the metrics that `benchmarks/gate-each.ts` gates under each load, and the fault it plants for each. */
import type { MetricName } from '../../src/types/metric.ts';

/**
 * Faults of `planted.mjs`. Under full load latency is the length of a queue; at a fixed rate throughput is constant.
 */
export const PLANTED = {
	full: {
		throughput: 'spin',
		'cpu-per-request': 'spin',
		transfer: 'short',
		'memory-peak': 'leak',
		'memory-after-load': 'leak',
		'memory-after-100k': 'leak',
		'memory-at-rest': 'ballast',
		'cold-start': 'slow-start',
		reload: 'slow-start',
		'round-trips': 'ask',
		calls: 'call',
		'bytes-allocated': 'garbage',
	},
	rate: {
		'cpu-per-request': 'garbage',
		'latency-p2.5': 'delay',
		'latency-p50': 'delay',
		'latency-p90': 'delay',
		'latency-p95': 'delay',
		'latency-p97.5': 'delay',
		'latency-p99': 'tail',
		'latency-p99.9': 'tail',
	},
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<MetricName, string>>>>>;

/** Alternatives to metrics that cannot be gated. */
export const INSTEAD: Readonly<Partial<Record<MetricName, string>>> = {
	'cpu-used': 'cpu-per-request',
	'hot-reload': 'reload',
	'gc-share': 'cpu-per-request',
	'gc-count': 'cpu-per-request',
	'gc-longest': 'latency-p99.9 at a fixed rate',
	'event-loop': 'cpu-per-request at a fixed rate',
};

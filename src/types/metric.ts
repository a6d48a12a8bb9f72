/** A metric a cell is measured in. Worse is decided only by `better`. */
export interface Metric {
	readonly name: MetricName;
	readonly label: string;
	readonly unit: 'requests/s' | 'µs' | 'ms' | 'MB';
	readonly better: 'higher' | 'lower';
}

export type MetricName = 'throughput' | 'cpu-per-request' | 'latency-p50' | 'latency-p99' | 'memory-peak';

/** Every metric, in the order reports list them. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
	throughput: { name: 'throughput', label: 'throughput', unit: 'requests/s', better: 'higher' },
	'cpu-per-request': { name: 'cpu-per-request', label: 'CPU per request', unit: 'µs', better: 'lower' },
	'latency-p50': { name: 'latency-p50', label: 'latency p50', unit: 'ms', better: 'lower' },
	'latency-p99': { name: 'latency-p99', label: 'latency p99', unit: 'ms', better: 'lower' },
	'memory-peak': { name: 'memory-peak', label: 'peak memory', unit: 'MB', better: 'lower' },
};

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

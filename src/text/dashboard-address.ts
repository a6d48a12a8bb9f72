import type { MetricName } from '../types/metric.ts';

interface RowName {
	readonly server: string;
	readonly scenario: string;
	readonly metric: MetricName;
}

export function rowId({ server, scenario, metric }: RowName): string {
	return `${server}/${scenario}${metric === 'throughput' ? '' : `,${metric}`}`;
}

/** Returns a row's address below the dashboard's: `#/row/koa/ping`, `#/row/koa/ping,latency-p99`. */
export function rowAddress(row: RowName): string {
	return `#/row/${rowId(row)}`;
}

/** Bencher Metric Format: https://bencher.dev/docs/reference/bencher-metric-format/ */
import type { BaselineCommit, BaselineRecord } from '../../types/baseline.ts';
import { type ForeignFigure, type Imported, importRun } from './imported-record.ts';

const BENCHER = 'Bencher';
/** Built-in measures with an equivalent, and their units. */
const UNITS: Readonly<Record<string, string>> = { throughput: 'ops/s', latency: 'ns' };

/** Returns the record of a Bencher Metric Format file for a commit; null for any other text. */
export function importBencherMetrics(text: string, commit: BaselineCommit, measuredAt: string): Imported | null {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return null;
	}
	if (!isObject(value)) return null;
	const figures: ForeignFigure[] = [];
	for (const [name, measures] of Object.entries(value)) {
		if (!isObject(measures)) return null;
		for (const [measure, metric] of Object.entries(measures)) {
			if (!isObject(metric) || typeof metric.value !== 'number') return null;
			figures.push({ name, value: metric.value, unit: UNITS[measure] ?? measure });
		}
	}
	return figures.length === 0 ? null : importRun({ tool: BENCHER, commit, measuredAt, figures });
}

/**
 * Returns the rows of a record in Bencher Metric Format. Their limits are the absolute figure changed by the ends of
 * the interval.
 */
export function exportBencherMetrics(record: BaselineRecord): string {
	const rows = record.cells.flatMap((cell) => {
		const { throughput = null } = cell.solo ?? {};
		if (throughput === null) return [];
		const { theta, low, high } = cell;
		const limits =
			theta === null || low === null || high === null
				? {}
				: { lower_value: throughput * Math.exp(low - theta), upper_value: throughput * Math.exp(high - theta) };
		return [[`${cell.server}/${cell.scenario}`, { throughput: { value: throughput, ...limits } }]];
	});
	return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { type CsvValue, csvLine } from '../../text/escape.ts';
import type { BaselineCell, BaselineRecord } from '../../types/baseline.ts';

type Column = readonly [name: string, value: (record: BaselineRecord, cell: BaselineCell) => CsvValue];

const COLUMNS: readonly Column[] = [
	['measured_at', ({ createdAt }) => createdAt],
	['purpose', ({ purpose }) => purpose],
	['commit', ({ commit }) => commit.sha],
	['label', ({ commit }) => commit.label],
	['committed_at', ({ commit }) => commit.committedAt],
	['anchor', ({ anchor }) => anchor.sha ?? anchor.label],
	['environment', ({ environmentId }) => environmentId],
	['server', (_, { server }) => server],
	['scenario', (_, { scenario }) => scenario],
	['metric', (_, { metric }) => metric],
	['log_ratio', (_, { theta }) => theta],
	['log_ratio_se', (_, { se }) => se],
	['log_ratio_low', (_, { low }) => low],
	['log_ratio_high', (_, { high }) => high],
	['rounds', (_, { rounds }) => rounds],
	['verdict', (_, { verdict }) => verdict],
	['throughput_requests_per_s', (_, { solo }) => solo?.throughput ?? null],
	['cpu_per_request_us', (_, { solo }) => solo?.cpuPerRequest ?? null],
	['latency_p50_ms', (_, { solo }) => solo?.latencyP50 ?? null],
	['memory_peak_bytes', (_, { solo }) => solo?.memoryPeak ?? null],
	['reference_requests_per_s', (_, { reference }) => reference?.throughput ?? null],
	['share_of_reference', (_, { ofReference }) => ofReference?.value ?? null],
	['share_low', (_, { ofReference }) => ofReference?.low ?? null],
	['share_high', (_, { ofReference }) => ofReference?.high ?? null],
];

/**
 * Returns a header, and a line for each row of each record. Changes are log ratios; negative is worse. Unknown values
 * are empty.
 */
export function renderBaselineCsv(records: readonly BaselineRecord[]): string {
	const rows = records.flatMap((record) => record.cells.map((cell) => COLUMNS.map(([, value]) => value(record, cell))));
	return [COLUMNS.map(([name]) => name), ...rows].map(csvLine).join('');
}

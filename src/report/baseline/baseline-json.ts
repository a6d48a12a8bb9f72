import type { BaselineRecord } from '../../types/baseline.ts';

/** Returns records as a JSON array, two spaces, ending in a line feed. */
export function renderRecords(records: readonly BaselineRecord[]): string {
	return `${JSON.stringify(records, null, 2)}\n`;
}

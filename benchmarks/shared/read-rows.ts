import { existsSync, readFileSync } from 'node:fs';

/** Returns the rows that a benchmark in slices has appended to `file`, one JSON document a line. */
export function readRows<Row>(file: string): Row[] {
	const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
	// A row after the last line feed is incomplete: its slice was killed.
	return lines.slice(0, -1).map((line) => JSON.parse(line) as Row);
}

import { existsSync, readFileSync } from 'node:fs';

/** Returns the rows that a benchmark measured in slices has appended to `file` so far, one JSON document a line. */
export function readRows<Row>(file: string): Row[] {
	const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
	// What follows the last end of a line is a row that a slice was killed in.
	return lines.slice(0, -1).map((line) => JSON.parse(line) as Row);
}

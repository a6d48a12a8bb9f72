import type { LineRange } from '../types/difference.ts';

/** Returns the changed lines of a file's patch, as the API has it. */
export function readPatch(patch: string): readonly LineRange[] {
	const ranges: { first: number; last: number }[] = [];
	let line = 0;
	for (const text of patch.split('\n')) {
		const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text) ?? [];
		if (start !== undefined) line = Number(start);
		else if (text.startsWith('+') || text.startsWith('-')) {
			const range = ranges.at(-1);
			if (range && range.last >= line - 1) range.last = line;
			else ranges.push({ first: line, last: line });
		}
		if (start === undefined && /^[ +]/.test(text)) line++;
	}
	return ranges;
}

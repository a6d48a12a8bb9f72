/** The column of docs/servers.md that says what a server takes when it is installed. */
import type { Bytes } from '../src/types/units.ts';

/** `api`, or `-api` as the end of the name before it. */
const NAME = /`([^`]+)`/g;
const HEAD = 'Installed';

/**
 * Returns the page with the sizes in its last column, rounded to megabytes; a row of several servers has all of theirs. A row that has a
 * server without a size stays as it is.
 */
export function fillSizes(page: string, sizes: ReadonlyMap<string, Bytes>): string {
	const lines = page.split('\n');
	const head = lines.findIndex((line) => line.startsWith('|') && cellsOf(line).at(-1) === HEAD);
	if (head < 0) throw new Error(`the page has no table with a column ${HEAD}`);
	const end = lines.findIndex((line, at) => at > head && !line.startsWith('|'));
	const width = (lines[head] as string).split('|').at(-2)?.length ?? 0;
	return lines
		.map((line, at) => {
			if (at < head + 2 || at >= end) return line;
			const known = namesOf(cellsOf(line)[0] ?? '').map((name) => sizes.get(name));
			if (known.length === 0 || known.includes(undefined)) return line;
			const words = [...new Set((known as Bytes[]).map(megabytes))].join(' and ');
			return `${line.slice(0, line.slice(0, -1).lastIndexOf('|') + 1)}${` ${words} MB `.padStart(width)}|`;
		})
		.join('\n');
}

/** Returns the names in a cell: of `vext-native`, `-koa` these are vext-native and vext-koa. */
export function namesOf(cell: string): readonly string[] {
	const written = [...cell.matchAll(NAME)].map(([, name = '']) => name);
	const [first = ''] = written;
	const stem = first.slice(0, Math.max(0, first.indexOf('-')));
	return written.map((name) => (name.startsWith('-') ? `${stem}${name}` : name));
}

function cellsOf(line: string): readonly string[] {
	return line
		.slice(1, -1)
		.split('|')
		.map((cell) => cell.trim());
}

/** Less than half a megabyte is hardly anything, and not nothing. */
function megabytes(bytes: Bytes): string {
	return bytes < 5e5 ? '< 1' : (bytes / 1e6).toFixed(0);
}

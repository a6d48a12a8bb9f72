/** The columns of docs/servers.md with requirements and installed sizes. */
import type { CatalogueServer } from '../src/config/catalogue.ts';
import { findUnserved } from '../src/config/server-needs.ts';
import { joinWords } from '../src/text/phrase.ts';
import type { Bytes } from '../src/types/units.ts';

/** `api`, or `-api` as a suffix of the previous name. */
const NAME = /`([^`]+)`/g;
/** The only forms of `engines` in use: from a version on, with or without an excluded major version. */
const NODE_RANGE = /^>=([\d.]+)(?: <(\d+))?$/;

/**
 * Returns the page with the sizes in megabytes; a row of several servers has the size of each. A row with an unmeasured
 * server stays as it is.
 */
export function fillSizes(page: string, sizes: ReadonlyMap<string, Bytes>): string {
	return fillColumn(page, 'Installed', (names) => {
		const bytes = names.map((name) => sizes.get(name));
		if (bytes.length === 0 || bytes.includes(undefined)) return null;
		return `${[...new Set((bytes as Bytes[]).map(megabytes))].join(' and ')} MB`;
	});
}

/** Returns the page with each server's requirements, from its package.json. */
export function fillNeeds(page: string, servers: readonly CatalogueServer[]): string {
	return fillColumn(page, 'Needs', (names) => {
		const group = names.flatMap((name) => servers.find((server) => server.name === name) ?? []);
		return [...new Set(group.map(needsOf))].join(' or ') || null;
	});
}

/** Source of its packages, and its runtime: `npm, Node from 22`. */
function needsOf(server: CatalogueServer): string {
	const { node, glibc, runtime, programs = [], dependencies } = server;
	const packages = findUnserved(server) === null ? 'npm' : '`--package`';
	return [
		...(dependencies.length === 0 && programs.length > 0 ? [] : [packages]),
		...(programs.length === 0 ? [] : [`${joinWords(programs.map((program) => `\`${program}\``))} on PATH`]),
		...(runtime === 'bun' ? ['brings Bun'] : []),
		...(node === undefined ? [] : [nodeWords(node)]),
		...(glibc === undefined ? [] : [`glibc from ${glibc}`]),
	].join(', ');
}

function nodeWords(range: string): string {
	const [, least, before] = NODE_RANGE.exec(range) ?? [];
	if (least === undefined) throw new Error(`no words for Node ${range}`);
	if (before === undefined) return `Node from ${least}`;
	const last = Number(before) - 1;
	return `Node ${least} ${last === Number(least) + 1 ? 'and' : 'to'} ${last}`;
}

/**
 * Returns the page with `words` in a column of each row's servers; null keeps a row as it is. Widens the column if
 * needed.
 */
function fillColumn(page: string, title: string, words: (names: readonly string[]) => string | null): string {
	const lines = page.split('\n');
	const head = lines.findIndex((line) => line.startsWith('|') && cellsOf(line).includes(title));
	if (head < 0) throw new Error(`the page has no table with a column ${title}`);
	const count = lines.slice(head).findIndex((line) => !line.startsWith('|'));
	const rows = lines.slice(head, count < 0 ? lines.length : head + count);
	const column = cellsOf(rows[0] ?? '').indexOf(title);
	const isRight = cellsOf(rows[1] ?? '')[column]?.endsWith(':') ?? false;
	const cells = rows.map((row, at) => {
		const entries = cellsOf(row);
		return at < 2 ? (entries[column] ?? '') : (words(namesOf(entries[0] ?? '')) ?? entries[column] ?? '');
	});
	const width = Math.max(...cells.filter((_, at) => at !== 1).map(({ length }) => length));
	const written = cells.map((cell, at) => {
		if (at === 1) return isRight ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width);
		return isRight ? cell.padStart(width) : cell.padEnd(width);
	});
	const filled = rows.map((row, at) =>
		row
			.split('|')
			.with(column + 1, ` ${written[at]} `)
			.join('|'),
	);
	return lines.toSpliced(head, rows.length, ...filled).join('\n');
}

/** Returns the servers in a cell: `vext-native`, `-koa` are vext-native and vext-koa. */
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

/** Below half a megabyte: `< 1`, not 0. */
function megabytes(bytes: Bytes): string {
	return bytes < 5e5 ? '< 1' : (bytes / 1e6).toFixed(0);
}

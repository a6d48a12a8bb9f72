import stringWidth from 'string-width';
import { type PhraseStyle, renderPhrase } from '../../text/phrase.ts';
import { type Cell, type Column, type Table, textOf } from './document.ts';

export const GAP = '  ';

const keep = (text: string) => text;
export const PLAIN: PhraseStyle = { own: keep, code: keep, text: keep, strong: keep };

/** Control characters must already be removed. */
export function plain(cell: Cell): string {
	return renderPhrase(textOf(cell), PLAIN);
}

/** Returns widths in columns of the terminal. */
export function widthsOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>): readonly number[] {
	return columns.map(({ label }, at) =>
		Math.max(stringWidth(label), ...rows.map((row) => stringWidth(plain(row[at] ?? [])))),
	);
}

export function totalOf(widths: readonly number[]): number {
	return widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}

/** Drops as few spare columns as make the table fit. */
export function fitTable(widest: Table, width: number): Table {
	const { narrower = [] } = widest;
	const fits = (one: Table) => totalOf(widthsOf(one)) <= width;
	const table = [widest, ...narrower].find(fits) ?? narrower.at(-1) ?? widest;
	const widths = widthsOf(table);
	const all = table.columns.map((_, at) => at);
	const spareOf = (at: number) => table.columns[at]?.spare ?? Infinity;
	const byImportance = all.toSorted((one, other) => spareOf(other) - spareOf(one) || one - other);
	const kept: number[] = [];
	let used = -GAP.length;
	for (const at of byImportance) {
		const needed = (widths[at] ?? 0) + GAP.length;
		if (spareOf(at) !== Infinity && used + needed > width) continue;
		kept.push(at);
		used += needed;
	}
	return pick(
		table,
		all.filter((at) => kept.includes(at)),
	);
}

/** Splits a table into parts that fit the width. Each repeats the first column; only the last has the note. */
export function breakTable(table: Table, width: number): readonly Table[] {
	const widths = widthsOf(table);
	const total = (columns: readonly number[]) => totalOf(columns.map((at) => widths[at] ?? 0));
	const parts: number[][] = [];
	for (let at = 1; at < table.columns.length; at++) {
		const last = parts.at(-1);
		if (last !== undefined && total([...last, at]) <= width) last.push(at);
		else parts.push([0, at]);
	}
	if (parts.length < 2) return [table];
	return parts.map((columns, at) => ({ ...pick(table, columns), note: at === parts.length - 1 ? table.note : '' }));
}

function pick(table: Table, kept: readonly number[]): Table {
	return {
		...table,
		columns: kept.map((at) => table.columns[at] as Column),
		rows: table.rows.map((row) => kept.map((at) => row[at] ?? [])),
	};
}

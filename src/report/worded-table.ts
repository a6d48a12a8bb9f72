import { markdownTable } from 'markdown-table';
import type pc from 'picocolors';
import stringWidth from 'string-width';
import { type Phrase, type PhraseStyle, renderPhrase } from '../text/phrase.ts';
import { fitText, wrapText } from '../text/wrap.ts';
import type { Column } from './compare/columns.ts';
import { writeMarkdown } from './compare/markdown.ts';

export interface WordedTable {
	readonly title: string;
	readonly columns: readonly Pick<Column<unknown>, 'label' | 'align'>[];
	readonly rows: readonly (readonly Phrase[])[];
	readonly note: string;
}

const INDENT = 2;
const GAP = '  ';
const PLAIN: PhraseStyle = { own: (text) => text, code: (text) => text, text: (text) => text, strong: (text) => text };

/** Returns lines for a terminal, with title and wrapped note. */
export function tableText(
	{ title, columns, rows, note }: WordedTable,
	colours: ReturnType<typeof pc.createColors>,
	width: number,
): string {
	const texts = rows.map((row) => row.map(plain));
	const widths = columns.map(({ label }, at) =>
		Math.max(...[label, ...texts.map((row) => row[at] ?? '')].map((text) => stringWidth(text))),
	);
	const line = (cells: readonly string[]) =>
		cells
			.map((cell, at) => fitText(cell, widths[at] ?? 0, columns[at]?.align ?? 'left'))
			.join(GAP)
			.trimEnd();
	const head = colours.dim(line(columns.map(({ label }) => label)));
	const below = note === '' ? [] : wrapText(note, width, 0).map(colours.dim);
	return [colours.bold(title), head, ...texts.map(line), ...below].join('\n');
}

/** Drops as few columns of `spare`, ordered from the least important, as make the table fit. */
export function fitTable(table: WordedTable, spare: readonly string[], width: number): WordedTable {
	const importance = (at: number) => {
		const place = spare.indexOf(table.columns[at]?.label ?? '');
		return place === -1 ? spare.length : place;
	};
	const pick = (columns: readonly number[]): WordedTable => ({
		...table,
		columns: columns.map((at) => table.columns[at] as WordedTable['columns'][number]),
		rows: table.rows.map((row) => columns.map((at) => row[at] ?? [])),
	});
	const byImportance = table.columns.map((_, at) => at).toSorted((a, b) => importance(b) - importance(a) || a - b);
	let shown: readonly number[] = [];
	for (const at of byImportance) {
		const more = [...shown, at].toSorted((a, b) => a - b);
		if (importance(at) === spare.length || widthOf(pick(more)) <= width) shown = more;
	}
	return pick(shown);
}

/** Splits a table into parts that fit the width. Each repeats the first column; only the last has the note. */
export function breakTable(table: WordedTable, width: number): readonly WordedTable[] {
	if (widthOf(table) <= width) return [table];
	const pick = (columns: readonly number[]): WordedTable => ({
		title: table.title,
		columns: columns.flatMap((at) => table.columns[at] ?? []),
		rows: table.rows.map((row) => columns.map((at) => row[at] ?? [])),
		note: '',
	});
	const parts: number[][] = [];
	for (let at = 1; at < table.columns.length; at++) {
		const last = parts.at(-1);
		if (last !== undefined && widthOf(pick([...last, at])) <= width) last.push(at);
		else parts.push([0, at]);
	}
	return parts.map((columns, at) => ({
		...pick(columns),
		title: at === 0 ? table.title : `${table.title} (continued)`,
		note: at === parts.length - 1 ? table.note : '',
	}));
}

function widthOf({ columns, rows }: WordedTable): number {
	const widths = columns.map(({ label }, at) =>
		Math.max(stringWidth(label), ...rows.map((row) => stringWidth(plain(row[at] ?? [])))),
	);
	return widths.reduce((sum, one) => sum + one + GAP.length, -GAP.length);
}

export function tableMarkdown({ columns, rows }: WordedTable): string {
	return markdownTable([columns.map(({ label }) => label), ...rows.map((row) => row.map(writeMarkdown))], {
		align: columns.map(({ align }) => (align === 'right' ? 'r' : 'l')),
		alignDelimiters: false,
		padding: true,
	});
}

/** Returns wrapped text with all lines but the first indented. */
export function hang(text: string, width: number): string {
	return wrapText(text, width, INDENT).join('\n').trimStart();
}

/** Returns plain text; control characters must already be removed. */
export function plain(text: Phrase): string {
	return renderPhrase(text, PLAIN);
}

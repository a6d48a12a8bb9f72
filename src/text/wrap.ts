import stringWidth from 'string-width';

/** Columns of the narrowest supported terminal. */
export const NARROWEST = 40;
/** Wider prose is hard to read. */
const WIDEST_PROSE = 110;

export function proseWidth(width: number, narrowest = NARROWEST): number {
	return Math.min(Math.max(width, narrowest), WIDEST_PROSE);
}

/**
 * Breaks `text` into lines of at most `width` columns, indented by `indent`. Longer words are not cut, so paths
 * and commands can be copied.
 */
export function wrapText(text: string, width: number, indent: number): readonly string[] {
	const margin = ' '.repeat(indent);
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(/(?<!…) (?![%…])/)) {
		const longer = line === '' ? word : `${line} ${word}`;
		if (line !== '' && stringWidth(longer) > width - indent) {
			lines.push(margin + line);
			line = word;
		} else {
			line = longer;
		}
	}
	return [...lines, margin + line];
}

/** Pads `text`, or shortens it with `…`. */
export function fitText(text: string, width: number, align: 'left' | 'right'): string {
	const free = width - stringWidth(text);
	if (free >= 0) return align === 'left' ? text + ' '.repeat(free) : ' '.repeat(free) + text;
	let cut = '';
	for (const character of text) {
		if (stringWidth(cut + character) > width - 1) break;
		cut += character;
	}
	return `${cut}…${' '.repeat(Math.max(width - 1 - stringWidth(cut), 0))}`;
}

/** Aligns columns and indents by two. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))));
	const pad = (cell: string, column: number) =>
		cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
	return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd());
}

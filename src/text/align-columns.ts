import stringWidth from 'string-width';

/** Returns rows of text as lines with aligned columns, indented by two. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))));
	const pad = (cell: string, column: number) =>
		cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
	return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd());
}

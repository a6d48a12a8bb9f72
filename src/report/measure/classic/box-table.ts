import stringWidth from 'string-width';

/** Returns a table in boxes, as autocannon draws it: one line of titles, then the rows. */
export function boxTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
	const widths = titles.map((title, at) => Math.max(...[title, ...rows.map((row) => row[at] ?? '')].map(widthOf)));
	const rule = (left: string, middle: string, right: string) =>
		`${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}`;
	const line = (cells: readonly string[]) =>
		`│${widths.map((width, at) => ` ${pad(cells[at] ?? '', width)} `).join('│')}│`;
	const lines = rows.flatMap((row) => [rule('├', '┼', '┤'), line(row)]);
	return [rule('┌', '┬', '┐'), line(titles), ...lines, rule('└', '┴', '┘')].join('\n');
}

function widthOf(text: string): number {
	return stringWidth(text);
}

function pad(text: string, width: number): string {
	return `${text}${' '.repeat(width - widthOf(text))}`;
}

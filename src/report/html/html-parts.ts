/** Parts that pages of every kind are made of. Bodies, summaries and cells are HTML, with everything foreign in them escaped. */
import { escapeHtml } from '../../text/escape.ts';

/** A column of a table; its label is plain text. */
interface Heading {
	readonly label: string;
	readonly align: 'left' | 'right';
}

/** Returns a part of the page that is closed until somebody opens it. */
export function fold(summary: string, body: string): string {
	return `<details><summary>${summary}</summary>${body}</details>`;
}

/** Returns a list; empty without items. */
export function list(items: readonly string[]): string {
	return items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`;
}

/** Returns a frame in which what is wider than the page scrolls by itself. */
export function scroll(body: string): string {
	return `<div class="scroll">${body}</div>`;
}

/** Returns a table with a cell for each column in each of its rows, in a frame that scrolls. `write` makes HTML of a label. */
export function scrollTable(
	columns: readonly Heading[],
	rows: readonly (readonly string[])[],
	write: (label: string) => string = escapeHtml,
): string {
	const lines = rows.map((cells) =>
		cells.map((cell, at) => `<td class="${columns[at]?.align ?? 'left'}">${cell}</td>`),
	);
	return scroll(table('<table>', columns, lines, write));
}

/** Returns a table that begins with the tag `start`, from the `td` elements of each of its rows. */
export function table(
	start: string,
	columns: readonly Heading[],
	rows: readonly (readonly string[])[],
	write: (label: string) => string = escapeHtml,
): string {
	const head = columns.map(({ label, align }) => `<th scope="col" class="${align}">${write(label)}</th>`);
	const lines = rows.map((cells) => `<tr>${cells.join('')}</tr>`);
	return `${start}<thead><tr>${head.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`;
}

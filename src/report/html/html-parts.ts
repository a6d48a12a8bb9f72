/** Parts that pages of every kind are made of. Bodies, summaries and cells are HTML, with everything foreign in them escaped. */

import { createHash } from 'node:crypto';
import { escapeHtml, jsonForScript } from '../../text/escape.ts';

/** What a self-contained page is made of. */
interface HtmlShell {
	/** Plain text; escaped here. */
	readonly title: string;
	readonly styles: string;
	/** HTML inside `main`, with everything foreign in it escaped. */
	readonly body: string;
	/** What the script reads from `#data`. */
	readonly data: unknown;
	/** Code of the page; empty for none. */
	readonly script: string;
}

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

/**
 * Returns one self-contained HTML file. The content security policy allows its script and nothing else: no network, no other
 * code.
 */
export function renderShell({ title, styles, body, data, script }: HtmlShell): string {
	const code = closeSafely(script);
	const hash = createHash('sha256').update(code).digest('base64');
	const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<main>
${body}
</main>
<script type="application/json" id="data">${jsonForScript(data)}</script>
<script>${code}</script>
</body>
</html>
`;
}

/** In valid code these only stand in strings, templates and regular expressions, where the backslash changes nothing. */
function closeSafely(script: string): string {
	return script.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
}

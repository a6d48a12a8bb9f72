/** Parts of all HTML pages. Bodies, summaries and cells must be escaped HTML. */

import { createHash } from 'node:crypto';
import { escapeHtml, jsonForScript } from '../../text/escape.ts';
import { type Phrase, renderPhrase } from '../../text/phrase.ts';

interface HtmlShell {
	/** Plain text, which `renderShell` escapes. */
	readonly title: string;
	readonly styles: string;
	/** Escaped HTML inside `main`. */
	readonly body: string;
	readonly data: unknown;
	readonly script: string;
}

interface Heading {
	readonly label: string;
	readonly align: 'left' | 'right';
}

export function writeHtml(text: Phrase): string {
	return renderPhrase(text, {
		own: (words) => keepTogether(escapeHtml(words)),
		text: escapeHtml,
		code: (code, to) => {
			const html = `<code>${escapeHtml(code)}</code>`;
			return to === undefined ? html : `<a href="${escapeHtml(to)}">${html}</a>`;
		},
		strong: (words) => `<strong>${keepTogether(escapeHtml(words))}</strong>`,
	});
}

/** Keeps each percent sign on the line of its number. */
function keepTogether(html: string): string {
	return html.replaceAll(' %', '\u00a0%');
}

export function fold(summary: string, body: string, id = ''): string {
	return `<details${id === '' ? '' : ` id="${id}"`}><summary>${summary}</summary>${body}</details>`;
}

export function list(items: readonly string[]): string {
	return items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`;
}

/** Returns a frame that scrolls, also with the keyboard. `label` is escaped. */
export function scroll(body: string, label = ''): string {
	const named = label === '' ? '' : ` role="region" aria-label="${escapeHtml(label)}"`;
	return `<div class="scroll" tabindex="0"${named}>${body}</div>`;
}

/** Returns a table in a scrolling frame. `write` turns a heading into HTML. */
export function scrollTable(
	columns: readonly Heading[],
	rows: readonly (readonly string[])[],
	{ write = escapeHtml, label = '' }: { readonly write?: (label: string) => string; readonly label?: string } = {},
): string {
	const lines = rows.map((cells) =>
		cells.map((cell, at) => `<td class="${columns[at]?.align ?? 'left'}">${cell}</td>`),
	);
	return scroll(table('<table>', columns, lines, write), label);
}

/** Returns a table that begins with `start`; rows are `td` elements. */
export function table(
	start: string,
	columns: readonly Heading[],
	rows: readonly (readonly string[])[],
	write: (label: string) => string = escapeHtml,
	ids: readonly (string | null)[] = [],
): string {
	const head = columns.map(({ label, align }) => `<th scope="col" class="${align}">${write(label)}</th>`);
	const lines = rows.map((cells, at) => `<tr${ids[at] ? ` id="${escapeHtml(ids[at])}"` : ''}>${cells.join('')}</tr>`);
	return `${start}<thead><tr>${head.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`;
}

/** Returns a self-contained HTML file. Its security policy allows its own script and no network. */
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

/**
 * In valid code these texts occur only in strings, templates and regular expressions, where a backslash is harmless.
 */
function closeSafely(script: string): string {
	return script.replace(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
}

import { createHash } from 'node:crypto';
import { escapeHtml, jsonForScript } from '../../text/escape.ts';

/** What a self-contained page is made of. */
export interface HtmlShell {
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

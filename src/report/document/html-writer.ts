import { escapeHtml } from '../../text/escape.ts';
import { fold, list, renderShell, scrollTable } from '../html/html-parts.ts';
import { writeHtml } from '../html/html-tables.ts';
import { STYLESHEET } from '../html/stylesheet.ts';
import {
	type Block,
	type Document,
	type Entry,
	type Headline,
	noteOf,
	type Section,
	shownIn,
	type Tone,
} from './document.ts';
import { plain } from './table.ts';

const MARKS: Readonly<Record<Tone, string>> = { pass: '✓', improved: '▲', inconclusive: '?', fail: '✗', error: '!' };

const STYLES = `
header.improved { --tone: var(--improved); }
header.neutral { --tone: var(--head); }
.scroll + .hint { margin-top: .5rem; }
section > dl { margin-top: 1.5rem; }
.entries { list-style: none; padding: 0; }
.entries li { margin: .6rem 0; }
`.trim();

/** Returns a self-contained HTML page without script. `styles` are those of its pictures. */
export function toHtml({ headline, sections, conclusion = '' }: Document, styles = ''): string {
	const body = [
		headline === null ? '' : headlineHtml(headline),
		sectionsHtml(sections),
		conclusion === '' ? '' : `<p><strong>${escapeHtml(conclusion)}</strong></p>`,
	];
	return renderShell({
		title: headline === null ? 'benchgate' : join([headline.title, plain(headline.summary)], ': '),
		styles: join([STYLESHEET, STYLES, styles]),
		body: join(body),
		data: null,
		script: '',
	});
}

/** Returns sections for a page with other parts. */
export function sectionsHtml(sections: readonly Section[]): string {
	return join(shownIn('html', sections).map((one) => sectionHtml(one, 2)));
}

function headlineHtml({ tone, title, summary, blocks }: Headline): string {
	const words = writeHtml(summary);
	const below = blocksHtml(blocks, 2);
	if (tone === null) {
		return `<header class="neutral"><h1>${escapeHtml(title)}</h1>${paragraph(words)}${below}</header>`;
	}
	const outcome = `<p class="outcome"><span class="mark" aria-hidden="true">${MARKS[tone]}</span> ${escapeHtml(title)}</p>`;
	return `<header class="${tone}">\n${outcome}\n<h1>${words}</h1>\n${below}\n</header>`;
}

function sectionHtml({ title, caption = [], blocks, folded = false }: Section, level: number): string {
	const words = writeHtml(title);
	const hint = caption.length === 0 ? '' : `<p class="hint">${writeHtml(caption)}</p>`;
	const body = blocksHtml(blocks, level + 1);
	if (body === '') return '';
	if (folded) return fold(words, join([hint, body]));
	return join([`<section>${words === '' ? '' : `<h${level}>${words}</h${level}>`}`, hint, body, '</section>']);
}

function blocksHtml(blocks: readonly Block[], level: number): string {
	return join(shownIn('html', blocks).map((block) => blockHtml(block, level)));
}

function blockHtml(block: Block, level: number): string {
	switch (block.kind) {
		case 'section':
			return sectionHtml(block, level);
		case 'table': {
			const rows = block.rows.map((row) => row.map(writeHtml));
			return join([scrollTable(block.columns, rows), hintHtml(noteOf(block))]);
		}
		case 'paragraphs':
			return join(block.items.map((item) => paragraph(writeHtml(item))));
		case 'list':
			return list(block.items.map(writeHtml));
		case 'facts': {
			const lines = block.facts.map(({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${writeHtml(value)}</dd>`);
			return lines.length === 0 ? '' : `<dl>${lines.join('\n')}</dl>`;
		}
		case 'labelled': {
			const [first, ...others] = block.items;
			if (first === undefined) return '';
			const label = escapeHtml(`${block.label}:`);
			if (others.length === 0) return `<p>${label} ${writeHtml(first)}</p>`;
			return `<p>${label}</p>${list(block.items.map(writeHtml))}`;
		}
		case 'entries':
			return `<ul class="entries">${block.entries.map(entryHtml).join('\n')}</ul>`;
		case 'picture':
			return block.svg === '' ? `<pre>${escapeHtml(block.text)}</pre>` : block.svg;
		case 'command':
			return `<pre><code>${escapeHtml(block.command)}</code></pre>`;
	}
}

function entryHtml({ tone, word, about, text, log, remedy }: Entry): string {
	const lines = log.length === 0 ? '' : `<pre>${escapeHtml(log.join('\n'))}</pre>`;
	const fix = remedy === null ? '' : paragraph(`To fix it: ${writeHtml(remedy)}`);
	return `<li><span aria-hidden="true">${MARKS[tone]}</span> ${escapeHtml(word)}, ${escapeHtml(about)}: ${writeHtml(text)}${lines}${fix}</li>`;
}

function paragraph(html: string): string {
	return html === '' ? '' : `<p>${html}</p>`;
}

function hintHtml(note: string): string {
	return note === '' ? '' : `<p class="hint">${escapeHtml(note)}</p>`;
}

function join(parts: readonly string[], separator = '\n'): string {
	return parts.filter((part) => part !== '').join(separator);
}

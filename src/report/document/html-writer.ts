import { escapeHtml } from '../../text/escape.ts';
import { NONE } from '../../text/numbers.ts';
import { fold, list, renderShell, scroll, table, writeHtml } from '../html/html-parts.ts';
import { STYLESHEET } from '../html/stylesheet.ts';
import {
	type Block,
	type Cell,
	type Document,
	type Entry,
	type Headline,
	isRich,
	noteOf,
	type Section,
	shownIn,
	type Table,
	type Tone,
} from './document.ts';
import { plain } from './table.ts';

const MARKS: Readonly<Record<Tone, string>> = {
	pass: '✓',
	improved: '▲',
	inconclusive: '?',
	fail: '✗',
	error: '!',
	accepted: '✓',
	advisory: '!',
};

const STYLES = `
header.accepted, header.improved { --tone: var(--improved); }
header.advisory { --tone: var(--inconclusive); }
header.neutral { --tone: var(--head); }
.scroll + .hint { margin-top: .5rem; }
section > dl { margin-top: 1.5rem; }
.entries { list-style: none; padding: 0; }
.entries li { margin: .6rem 0; }
`.trim();

export interface Page {
	readonly data?: unknown;
	readonly script?: string;
}

/** Returns a self-contained HTML page. */
export function toHtml(
	{ headline, sections, conclusion = '', hasContents = false, styles = '' }: Document,
	{ data = null, script = '' }: Page = {},
): string {
	const shown = shownIn('html', sections).filter((one) => sectionHtml(one, 2) !== '');
	const ids = hasContents ? idsOf(shown) : [];
	const body = [
		headline === null ? '' : headlineHtml(headline),
		hasContents ? contentsHtml(shown, ids) : '',
		...shown.map((one, at) => sectionHtml(one, 2, ids[at])),
		conclusion === '' ? '' : `<p><strong>${escapeHtml(conclusion)}</strong></p>`,
	];
	return renderShell({
		title:
			headline === null
				? 'benchgate'
				: join([headline.title, plain(headline.subject ?? []), plain(headline.summary)], ': '),
		styles: join([STYLESHEET, STYLES, styles]),
		body: join(body),
		data,
		script,
	});
}

function idsOf(sections: readonly Section[]): readonly string[] {
	const slugs = sections.map(({ title }) =>
		plain(title)
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, '-')
			.replace(/^-|-$/g, ''),
	);
	return slugs.map((slug, at) => (slugs.indexOf(slug) === at && slug !== '' ? slug : `${slug}-${at}`));
}

function contentsHtml(sections: readonly Section[], ids: readonly string[]): string {
	const links = sections.map(({ title }, at) => `<li><a href="#${ids[at]}">${escapeHtml(plain(title))}</a></li>`);
	return fold('Contents', `<nav aria-label="Contents"><ul class="contents">${links.join('\n')}</ul></nav>`);
}

function headlineHtml({ tone, title, subject = [], summary, blocks }: Headline): string {
	const words = writeHtml(summary);
	const below = blocksHtml(blocks, 2);
	if (tone === null) {
		return `<header class="neutral"><h1>${escapeHtml(title)}</h1>${paragraph(words)}${below}</header>`;
	}
	const outcome = `<p class="outcome"><span class="mark" aria-hidden="true">${MARKS[tone]}</span> ${escapeHtml(title)}</p>`;
	const sides = subject.length === 0 ? '' : `<p class="subject">${writeHtml(subject)}</p>`;
	return join([`<header class="${tone}">`, outcome, sides, `<h1>${words}</h1>`, below, '</header>']);
}

function sectionHtml(
	{ title, caption = [], blocks, folded = false, id: ownId = '' }: Section,
	level: number,
	id = ownId,
): string {
	const words = writeHtml(title);
	const hint = caption.length === 0 ? '' : `<p class="hint">${writeHtml(caption)}</p>`;
	const body = blocksHtml(blocks, level + 1, plain(title));
	if (body === '') return '';
	if (folded === true) return fold(words, join([hint, body]), id);
	return join([
		`<section${id === '' ? '' : ` id="${escapeHtml(id)}"`}>${words === '' ? '' : `<h${level}>${words}</h${level}>`}`,
		hint,
		body,
		'</section>',
	]);
}

function blocksHtml(blocks: readonly Block[], level: number, title = ''): string {
	return join(shownIn('html', blocks).map((block) => blockHtml(block, level, title)));
}

function blockHtml(block: Block, level: number, title: string): string {
	switch (block.kind) {
		case 'section':
			return sectionHtml(block, level);
		case 'table':
			return join([tableHtml(block, title), hintHtml(noteOf(block))]);
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
		case 'notes': {
			const items = block.notes.map(({ number, text }) => `<li id="note-${number}">${writeHtml(text)}</li>`);
			return `<ol class="notes">${items.join('\n')}</ol>`;
		}
		case 'picture':
			return block.html === '' ? `<pre>${escapeHtml(block.text)}</pre>` : block.html;
		case 'command':
			return `<pre><code>${escapeHtml(block.command)}</code></pre>`;
	}
}

function tableHtml({ columns, rows, cards = false, ids = [] }: Table, title: string): string {
	const lines = rows.map((row) =>
		row.map((cell, at) => {
			const { align = 'left', label = '' } = columns[at] ?? {};
			const isNone = cards && plain(cell) === NONE;
			return `<td class="${align}${isNone ? ' none' : ''}"${cards ? ` data-label="${escapeHtml(label)}"` : ''}>${cellHtml(cell)}</td>`;
		}),
	);
	return scroll(table(cards ? '<table class="cards">' : '<table>', columns, lines, escapeHtml, ids), title);
}

function cellHtml(cell: Cell): string {
	return isRich(cell) ? (cell.html ?? writeHtml(cell.text)) : writeHtml(cell);
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

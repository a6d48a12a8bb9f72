import { markdownTable } from 'markdown-table';
import { codeMarkdown, escapeHtml, escapeMarkdown, isSafeUrl } from '../../text/escape.ts';
import { type Phrase, type PhraseStyle, renderPhrase } from '../../text/phrase.ts';
import {
	type Block,
	type Document,
	type Entry,
	type Headline,
	noteOf,
	type Section,
	shownIn,
	type Table,
	type Tone,
	textOf,
} from './document.ts';

const EMOJI: Readonly<Record<Tone, string>> = {
	pass: '✅',
	improved: '🔼',
	inconclusive: '🟡',
	fail: '❌',
	error: '⚠️',
	accepted: '☑️',
	advisory: '⚠️',
};

const STYLE: PhraseStyle = {
	own: (text) => text,
	code: (text, to) => (to ? writeLink(codeMarkdown(text), to) : codeMarkdown(text)),
	text: escapeMarkdown,
	strong: (text) => `**${text}**`,
};
const UNBROKEN: PhraseStyle = { ...STYLE, own: keepTogether };

export interface MarkdownRoom {
	readonly limit: number;
	/** Counts UTF-16 units by default. */
	readonly sizeOf?: (text: string) => number;
}

/** Returns GitHub-flavoured Markdown, with sections shortened to fit the limit if possible, and names the omissions. */
export function toMarkdown(
	document: Document,
	{ limit, sizeOf = lengthOf }: MarkdownRoom = { limit: Infinity },
): string {
	const { sections, elsewhere = '' } = document;
	const steps = shownIn('markdown', sections)
		.flatMap(({ shortening = [] }) => shortening)
		.toSorted((a, b) => a.order - b.order);
	let text = writeAll(document, -Infinity, '');
	for (const order of new Set(steps.map((step) => step.order))) {
		if (sizeOf(text) <= limit) break;
		const omitted = new Set(steps.filter((step) => step.order <= order).map(({ omits }) => omits));
		text = writeAll(document, order, `_Left out to fit: ${[...omitted].join('; ')}.${elsewhere && ` ${elsewhere}`}_`);
	}
	return text;
}

/** Returns escaped Markdown; it must not start a line, because foreign text may begin it. */
export function writeMarkdown(text: Phrase): string {
	return renderPhrase(text, STYLE);
}

/** Returns a Markdown link, or only `text` if `url` is unsafe. */
export function writeLink(text: string, url: string): string {
	return isSafeUrl(url) ? `[${text}](${url})` : text;
}

/** Returns a code block. No content can close it early. */
export function fence(text: string, language: string): string {
	const longest = Math.max(...(text.match(/`+/g) ?? ['']).map((run) => run.length));
	const ticks = '`'.repeat(Math.max(3, longest + 1));
	return `${ticks}${language}\n${text}\n${ticks}`;
}

/** Returns a collapsed section; `summary` must be trusted. */
export function fold(summary: string, body: string): string {
	return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** Returns text that does not wrap. */
export function keepTogether(text: string): string {
	return text.replaceAll(' ', '\u00a0');
}

function lengthOf(text: string): number {
	return text.length;
}

function writeAll({ headline, sections, conclusion = '' }: Document, order: number, omission: string): string {
	const level = (headline?.tone ?? null) === null ? 2 : 3;
	const shortened = sections.flatMap((one) => {
		const step = one.shortening?.findLast((shortening) => shortening.order <= order);
		return step === undefined ? one : (step.section ?? []);
	});
	const written = shownIn('markdown', shortened).map((one) => sectionMarkdown(one, level + 1));
	return `${join([headline === null ? '' : headlineMarkdown(headline, level), ...written, conclusion === '' ? '' : `**${writeMarkdown([{ text: conclusion }])}**`, omission])}\n`;
}

function headlineMarkdown({ tone, title, summary, blocks }: Headline, level: number): string {
	const words = writeMarkdown(summary);
	const heading = tone === null ? title : `${EMOJI[tone]} ${title}: ${words}`;
	return join([`${'#'.repeat(level)} ${heading}`, tone === null ? words : '', ...blocksMarkdown(blocks, level + 1)]);
}

function sectionMarkdown({ title, caption = [], blocks, folded = false }: Section, level: number): string {
	const body = blocksMarkdown(blocks, level + 1);
	if (join(body) === '') return '';
	if (folded) return fold(summaryOf(title), join([writeMarkdown(caption), ...body]));
	return join([
		title.length === 0 ? '' : `${'#'.repeat(level)} ${writeMarkdown(title)}`,
		writeMarkdown(caption),
		...body,
	]);
}

/** GitHub does not read Markdown inside `summary`. */
function summaryOf(title: Phrase): string {
	return renderPhrase(title, {
		own: (text) => text,
		code: (text) => `<code>${escapeHtml(text)}</code>`,
		text: escapeHtml,
		strong: (text) => `<strong>${text}</strong>`,
	});
}

function blocksMarkdown(blocks: readonly Block[], level: number): readonly string[] {
	return shownIn('markdown', blocks).map((block) => blockMarkdown(block, level));
}

function blockMarkdown(block: Block, level: number): string {
	switch (block.kind) {
		case 'section':
			return sectionMarkdown(block, level);
		case 'table':
			return join([tableMarkdown(block), noteMarkdown(noteOf(block))]);
		case 'paragraphs':
			return join(block.items.map(writeMarkdown));
		case 'list':
			return list(block.items);
		case 'facts':
			return list(block.facts.map(({ label, value }) => [`${label}: `, ...value]));
		case 'labelled': {
			const [first, ...others] = block.items;
			if (first === undefined) return '';
			const label = `**${block.label}:**`;
			return others.length === 0 ? `${label} ${writeMarkdown(first)}` : `${label}\n\n${list(block.items)}`;
		}
		case 'entries':
			return block.entries.map(entryMarkdown).join('\n');
		case 'notes':
			return join(block.notes.map(({ mark, text }) => `${mark} ${writeMarkdown(text)}`));
		case 'picture':
			return fence(block.text, 'text');
		case 'command':
			return fence(block.command, 'sh');
	}
}

export function tableMarkdown({ columns, rows, unbroken }: Pick<Table, 'columns' | 'rows' | 'unbroken'>): string {
	const styles = columns.map(({ align }) => (unbroken && align === 'right' ? UNBROKEN : STYLE));
	const lines = rows.map((row) => row.map((cell, at) => renderPhrase(textOf(cell), styles[at] ?? STYLE)));
	return markdownTable([columns.map(({ label }) => label), ...lines], {
		align: columns.map(({ align }) => (align === 'right' ? 'r' : 'l')),
		alignDelimiters: false,
		padding: true,
	});
}

function noteMarkdown(note: string): string {
	return note === '' ? '' : `<sub>${note}</sub>`;
}

function entryMarkdown({ tone, word, about, text, log, remedy }: Entry): string {
	const fix = remedy === null ? '' : ` To fix it: ${writeMarkdown(remedy)}`;
	const lines = log.length === 0 ? '' : `\n\n  ${fence(log.join('\n'), 'text').replaceAll('\n', '\n  ')}\n`;
	return `- ${EMOJI[tone]} ${word}, ${about}: ${writeMarkdown(text)}${fix}${lines}`;
}

function list(items: readonly Phrase[]): string {
	return items.map((item) => `- ${writeMarkdown(item)}`).join('\n');
}

function join(parts: readonly string[]): string {
	return parts.filter((part) => part !== '').join('\n\n');
}

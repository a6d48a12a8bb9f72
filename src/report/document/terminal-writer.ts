import pc from 'picocolors';
import stringWidth from 'string-width';
import { type Phrase, renderPhrase } from '../../text/phrase.ts';
import { fitText, NARROWEST, proseWidth, wrapText } from '../../text/wrap.ts';
import {
	type Block,
	type Cell,
	type Document,
	type Entry,
	type Headline,
	isRich,
	type Note,
	noteOf,
	type Section,
	shownIn,
	type Table,
	type Tone,
	textOf,
} from './document.ts';
import { breakTable, fitTable, GAP, PLAIN, plain, totalOf, widthsOf } from './table.ts';

type Colours = ReturnType<typeof pc.createColors>;

interface Page {
	readonly colours: Colours;
	readonly width: number;
	readonly prose: number;
}

export interface TerminalStyle {
	readonly colour: boolean;
	/** In columns. */
	readonly width: number;
}

const INDENT = 2;
const NARROWEST_CELL = 12;
/** Columns before an entry's text. */
const [WORD, ABOUT] = [9, 11];
const NARROWEST_ENTRY = 30;

const COLOURS: Readonly<Record<Tone, 'green' | 'blue' | 'yellow' | 'red'>> = {
	pass: 'green',
	improved: 'blue',
	inconclusive: 'yellow',
	fail: 'red',
	error: 'red',
	accepted: 'blue',
	advisory: 'yellow',
};

/** Returns lines of `width` columns without a final line feed. */
export function toTerminal({ headline, sections, conclusion = '' }: Document, style: TerminalStyle): string {
	const width = Math.max(style.width, NARROWEST);
	const page = { colours: pc.createColors(style.colour), width, prose: proseWidth(width) };
	return join(
		[
			headline === null ? '' : headlineText(headline, page),
			...shownIn('terminal', sections)
				.flatMap((one) => fitSection(one, page.width))
				.map((one) => sectionText(one, page)),
			conclusion === '' ? '' : page.colours.bold(conclusion),
		],
		'\n\n',
	);
}

function headlineText({ tone, title, summary, blocks }: Headline, page: Page): string {
	const { colours } = page;
	const below = shownIn('terminal', blocks).map((block) => blockText(block, page));
	if (tone === null) return join([colours.bold(title), ...wrap(summary, page), ...below]);
	const word = title.toUpperCase();
	const [first = '', ...lines] = wrap(summary, page, word.length + GAP.length);
	return join([`${colours.bold(colours[COLOURS[tone]](word))}${GAP}${first.trimStart()}`, ...lines, ...below]);
}

function sectionText({ title, caption = [], blocks }: Section, page: Page): string {
	const texts = shownIn('terminal', blocks).map((block) => blockText(block, page));
	const body = join(texts);
	if (body === '' || title.length === 0) return body;
	const words = plain(title);
	if (blocks[0]?.kind === 'command') return `${words}:\n${body}`;
	return `${page.colours.bold(caption.length === 0 ? words : `${words}: ${plain(caption)}`)}\n${body}`;
}

function blockText(block: Block, page: Page): string {
	switch (block.kind) {
		case 'section':
			return sectionText(block, page);
		case 'table':
			return tableText(block, page);
		case 'paragraphs':
			return block.items.flatMap((item) => wrap(item, page)).join('\n');
		case 'list':
			return block.items.map((item) => hang(['- ', ...item], page)).join('\n');
		case 'facts':
			return block.facts.map(({ label, value }) => hang([`${label}: `, ...value], page)).join('\n');
		case 'labelled': {
			const [first, ...others] = block.items;
			if (first === undefined) return '';
			if (others.length === 0) return wrap([`${block.label}: `, ...first], page, INDENT).join('\n');
			const items = block.items.map((item) => `${' '.repeat(INDENT)}- ${hang(item, page, 2 * INDENT)}`);
			return [...wrap([`${block.label}:`], page, INDENT), ...items].join('\n');
		}
		case 'entries':
			return block.entries.flatMap((entry) => entryLines(entry, page)).join('\n');
		case 'notes':
			return block.notes.map((note) => noteText(note, page)).join('\n');
		case 'picture':
			return block.text;
		case 'command':
			return block.command.replaceAll(/^/gm, ' '.repeat(INDENT));
	}
}

function tableText(table: Table, { colours, width, prose }: Page): string {
	const { columns, rows, terminalRows = Infinity } = table;
	const shown = rows.slice(0, terminalRows);
	const widths = [...widthsOf({ columns, rows: shown })];
	for (let at = columns.length - 1; at >= 0; at--) {
		const [now = 0, excess] = [widths[at], totalOf(widths) - width];
		if (columns[at]?.shrinks && excess > 0) widths[at] = Math.min(now, Math.max(now - excess, NARROWEST_CELL));
	}
	const line = (cells: readonly Cell[]) =>
		cells
			.map((cell, at) => paint(cell, fitText(plain(cell), widths[at] ?? 0, columns[at]?.align ?? 'left'), colours))
			.join(GAP)
			.trimEnd();
	const head = colours.dim(line(columns.map(({ label }) => [label])));
	const hidden = rows.length - shown.length;
	const note = `${hidden > 0 ? `And ${hidden} more. ` : ''}${noteOf(table)}`.trim();
	const below = note === '' ? [] : note.split('\n').flatMap((text) => wrapText(text, prose, 0).map(colours.dim));
	return [head, ...shown.map(line), ...below].join('\n');
}

/** Colours after fitting, because codes have no width. */
function paint(cell: Cell, fitted: string, colours: Colours): string {
	const painted = boldIn(textOf(cell), fitted, colours);
	const tone = isRich(cell) ? cell.tone : undefined;
	return tone === undefined ? painted : painted.replace(/\S.*\S|\S/, colours[COLOURS[tone]]);
}

function fitSection(one: Section, width: number): readonly Section[] {
	const [table, ...blocks] = shownIn('terminal', one.blocks);
	if (table?.kind !== 'table') return [one];
	if (table.breaks) {
		return breakTable(table, width).map((part, at) => ({
			...one,
			title: at === 0 ? one.title : [...one.title, ' (continued)'],
			blocks: [part, ...(at === 0 ? blocks : [])],
		}));
	}
	return [{ ...one, blocks: [fitTable(table, width), ...blocks] }];
}

function entryLines({ tone, word, about, text, log, remedy }: Entry, { colours, prose }: Page): readonly string[] {
	const indent = WORD + ABOUT;
	const width = Math.max(prose, indent + NARROWEST_ENTRY);
	const [first = '', ...lines] = wrapText(plain(text), width, indent);
	return [
		`${colours[COLOURS[tone]](word.padEnd(WORD))}${about.padEnd(ABOUT - 1)} ${first.trimStart()}`,
		...lines,
		...log.map((line) => `${' '.repeat(indent)}| ${fitText(line, width - indent - 2, 'left')}`.trimEnd()),
		...(remedy === null ? [] : wrapText(`To fix it: ${plain(remedy)}`, width, indent)),
	];
}

/** Strong words that wrap stay plain. */
function wrap(text: Phrase, { colours, prose }: Page, indent = 0): readonly string[] {
	if (text.length === 0) return [];
	return wrapText(renderPhrase(text, PLAIN), prose, indent).map((line) => boldIn(text, line, colours));
}

function boldIn(text: Phrase, line: string, colours: Colours): string {
	const strong = text.flatMap((piece) => (typeof piece === 'object' && 'strong' in piece ? piece.strong : []));
	return strong.reduce((painted, words) => painted.replace(words, colours.bold), line);
}

function hang(text: Phrase, page: Page, indent = INDENT): string {
	return wrap(text, page, indent).join('\n').trimStart();
}

function noteText({ mark, text }: Note, page: Page): string {
	return `${mark} ${hang(text, page, stringWidth(mark) + 1)}`;
}

function join(texts: readonly string[], separator = '\n'): string {
	return texts.filter((text) => text !== '').join(separator);
}

import { markdownTable } from 'markdown-table';
import { fold } from '../../src/report/document/markdown-writer.ts';
import { codeMarkdown, escapeMarkdown, plainText } from '../../src/text/escape.ts';
import type { Results } from '../results.ts';
import { type Entry, LONGEST_TEXT, type Section, type Table } from './section.ts';
import { GENERATED, sectionsOf, TITLE } from './sections.ts';

/** Characters that cannot end a link of Markdown or begin another construct. */
const PLAIN_ADDRESS = /^https:\/\/[\w./#-]+$/;

/** Returns the results as GitHub-flavoured Markdown, everything in it escaped. Tables only: charts are in index.html. */
export function renderReadme(results: Results): string {
	const intro = `The charts are in [index.html](index.html), every number is in [results.json](results.json). What the words mean: [glossary](../glossary.md).`;
	const sections = sectionsOf(results).map(renderSection);
	return `${[`<!-- ${GENERATED} -->`, `# ${TITLE}`, `_${GENERATED}_`, intro, ...sections].join('\n\n')}\n`;
}

function renderSection({ title, text, tables, notes = [] }: Section): string {
	const paragraphs = (lines: readonly string[]) => lines.map(writeText);
	const parts = [`## ${writeText(title)}`, ...paragraphs(text), ...tables.map(renderTable), ...paragraphs(notes)];
	return parts.filter((part) => part !== '').join('\n\n');
}

function renderTable({ columns, rows, fold: summary }: Table): string {
	if (rows.length === 0) return summary === undefined ? '_Not measured yet._' : '';
	const text = markdownTable(
		[columns.map(({ label }) => writeText(label)), ...rows.map((row) => row.map(writeEntry))],
		{
			align: columns.map(({ align }) => (align === 'right' ? 'r' : 'l')),
			alignDelimiters: false,
		},
	);
	return summary === undefined ? text : fold(writeText(summary), text);
}

function writeEntry(entry: Entry): string {
	if (typeof entry === 'string') return keepTogether(writeText(entry));
	const { text, style, href } = entry;
	const shown = style === 'code' ? codeMarkdown(plainText(text, LONGEST_TEXT)) : writeText(text);
	const marked = style === 'strong' ? `**${shown}**` : shown;
	return href !== undefined && PLAIN_ADDRESS.test(href) ? `[${marked}](${href})` : marked;
}

/** Keeps a number with its unit and interval. */
function keepTogether(text: string): string {
	return /^[−+]?\d/.test(text) ? text.replaceAll(' ', '\u00a0') : text;
}

function writeText(text: string): string {
	return escapeMarkdown(plainText(text, LONGEST_TEXT));
}

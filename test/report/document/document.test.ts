/** Every element of a report in every medium, once. */
import assert from 'node:assert/strict';
import { parse } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type Document, repeatSection, section, type Table } from '../../../src/report/document/document.ts';
import { toHtml } from '../../../src/report/document/html-writer.ts';
import { toMarkdown } from '../../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../../src/report/document/terminal-writer.ts';
import { FORMATS, type PageFormat } from '../../../src/report/formats.ts';
import { pageRenderers } from '../../../src/report/render-formats.ts';
import type { Phrase } from '../../../src/text/phrase.ts';
import { assertGolden } from '../../support/golden.ts';

const HOSTILE = '](javascript:x) <img src=x onerror=y> @everyone #1 | `a` **b**';
const foreign: Phrase = [{ text: HOSTILE }];
const leftAligned = (label: string) => ({ label, align: 'left' as const });
const right = (label: string) => ({ label, align: 'right' as const });

const ROWS: Table = {
	kind: 'table',
	columns: [
		leftAligned('server'),
		{ ...leftAligned('metric'), spare: 2 },
		right('change'),
		{ ...right('requests/s'), spare: 0 },
		{ ...right('rounds'), spare: 1 },
	],
	rows: [
		[[{ code: 'koa' }], ['throughput'], [{ strong: '−3.1 %' }], ['21,346'], ['12']],
		[[{ code: HOSTILE.slice(0, 20) }], ['throughput'], ['+0.4 %'], ['9'], ['4']],
	],
	note: (labels) => (labels.includes('requests/s') ? 'Requests/s are those of head alone.' : 'Narrow.'),
};
const WIDE: Table = {
	kind: 'table',
	columns: ['server', ...Array.from({ length: 12 }, (_, at) => `scenario-${at}`)].map(right),
	rows: [['koa'], ['hono'], ['express']].map(([name = '']) => [[name], ...Array.from({ length: 12 }, () => ['80 %'])]),
	note: 'Shares of the reference.',
	...{ breaks: true, terminalRows: 2 },
};
const rest = section(['All trials'], [ROWS], {
	media: ['markdown', 'html'],
	folded: true,
	shortening: [
		{
			order: 1,
			omits: 'all but one trial',
			section: section(['One trial'], [{ ...ROWS, rows: ROWS.rows.slice(0, 1) }]),
		},
		{ order: 3, omits: 'all trials' },
	],
});
const DOCUMENT: Document = {
	headline: {
		...{ tone: 'fail', title: 'Slower' },
		summary: [
			'koa is slower: ',
			{ strong: '−3.1 %' },
			' [−3.9 … −2.3] requests/s in ',
			{ code: 'json-post' },
			'; ',
			...foreign,
		],
		blocks: [
			{ kind: 'labelled', label: 'Exit code', items: [['1.']] },
			{ kind: 'labelled', label: 'Next', items: [['Fix it.'], ['Or accept it.']] },
		],
	},
	sections: [
		section(['Rows of ', ...foreign], [ROWS], { caption: ['both sides'] }),
		section(['Shares'], [WIDE]),
		section([], [{ kind: 'paragraphs', items: [foreign, ['Two paragraphs.']] }]),
		section(
			['Notes'],
			[{ kind: 'list', items: [foreign, ['A note that is longer than a narrow terminal is wide.']] }],
			{
				shortening: [{ order: 2, omits: 'notes' }],
			},
		),
		section([], [{ kind: 'facts', facts: [{ label: 'Machine', value: foreign }] }]),
		section(
			['Checks'],
			[
				{
					kind: 'entries',
					entries: [
						{ ...{ tone: 'pass', word: 'ok', about: 'config' }, text: ['benchgate.yml'], log: [], remedy: null },
						{
							...{ tone: 'fail', word: 'problem', about: 'head', text: foreign },
							log: ['npm error', '```', HOSTILE],
							remedy: ['run npm install'],
						},
					],
				},
			],
		),
		section(
			['Pictures'],
			[
				{ kind: 'picture', text: '  ▁▂█', html: '' },
				{ kind: 'picture', text: '  █▂▁', html: '<svg class="chart"></svg>' },
				{ kind: 'picture', text: 'only a terminal', html: '', media: ['terminal'] },
				section(['Inside'], [{ kind: 'list', items: [['nested']] }]),
			],
		),
		rest,
		repeatSection('npx benchgate compare --base main'),
	],
};

const textAt = (width: number, colour = false) => toTerminal(DOCUMENT, { colour, width });

test('every element as text, wide and narrow, and in each format of pages', () => {
	assertGolden('document/wide.txt', `${textAt(120)}\n`);
	assertGolden('document/narrow.txt', `${textAt(44)}\n`);
	for (const [name, render] of Object.entries(pageRenderers((document: Document) => document))) {
		const { ext } = parse(FORMATS[name as PageFormat].file);
		assertGolden(`document/all${ext}`, render(DOCUMENT).replace(/<style>.*?<\/style>/s, ''));
	}
});

test('colours change nothing but colours', () => {
	assert.notEqual(textAt(80, true), textAt(80));
	for (const width of [44, 80, 200]) assert.equal(stripVTControlCharacters(textAt(width, true)), textAt(width));
});

test('a document without an outcome has its title as the heading, and one without a headline begins with a section', () => {
	const headline = { ...{ tone: null, title: 'Ranking of 3 servers' }, summary: ['Two rounds.'], blocks: [] };
	const titled: Document = { headline, sections: [section(['One'], [{ kind: 'list', items: [['a']] }])] };
	assert.equal(toTerminal(titled, { colour: false, width: 80 }), 'Ranking of 3 servers\nTwo rounds.\n\nOne\n- a');
	assert.equal(toMarkdown(titled), '## Ranking of 3 servers\n\nTwo rounds.\n\n### One\n\n- a\n');
	assert.match(toHtml(titled), /<header class="neutral"><h1>Ranking of 3 servers<\/h1><p>Two rounds\.<\/p>/);
	const bare = { ...titled, headline: null, conclusion: 'Nothing was measured.' };
	assert.equal(toTerminal(bare, { colour: false, width: 80 }), 'One\n- a\n\nNothing was measured.');
	assert.equal(toMarkdown(bare), '### One\n\n- a\n\n**Nothing was measured.**\n');
	assert.match(
		toHtml(bare),
		/<main>\n<section><h2>One<\/h2>.*<p><strong>Nothing was measured\.<\/strong><\/p>\n<\/main>/s,
	);
});

test('Markdown omits the least important parts first, names them, and never cuts a text', () => {
	const whole = toMarkdown(DOCUMENT);
	const sizes = new Set<string>();
	for (let limit = whole.length; limit >= 0; limit -= 50) {
		const text = toMarkdown(DOCUMENT, { limit });
		sizes.add(text);
		const [, omitted = ''] = /_Left out to fit: (.*)\._/.exec(text) ?? [];
		assert.equal(text.includes('- nested'), true);
		assert.equal(/<summary>All trials/.test(text), omitted === '');
		assert.equal(text.includes('One trial'), /^all but one trial(; notes)?$/.test(omitted));
		assert.equal(text.includes('#### Notes'), !omitted.includes('notes'));
		if (text.length > limit) assert.equal(omitted, 'all but one trial; notes; all trials');
	}
	assert.equal(sizes.size, 4);
	assert.ok([...sizes].every((text, at, all) => at === 0 || text.length < (all[at - 1]?.length ?? 0)));
	const bytes = toMarkdown(DOCUMENT, { limit: whole.length, sizeOf: (text) => Buffer.byteLength(text) });
	assert.match(bytes, /_Left out to fit: all but one trial/);
});

test('foreign text becomes no element, link or mention in any medium', () => {
	const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
	const rendered = micromark(toMarkdown(DOCUMENT), {
		allowDangerousHtml: true,
		allowDangerousProtocol: true,
		...options,
	});
	assert.doesNotMatch(rendered, /<img|<a |<b>|href|<strong>b/);
	assert.doesNotMatch(rendered.replace(/<(code|pre)[^>]*>.*?<\/\1>/gs, ''), /@[a-z]|#\d/i);
	const html = toHtml(DOCUMENT);
	assert.doesNotMatch(html, /<img|<b>/);
	assert.doesNotMatch(html.replace(/>[^<]*</g, '><').replace(/ aria-label="[^"]*"/g, ''), /onerror|javascript:/);
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { reportError } from '../../src/cli/report-error.ts';
import { createProgress } from '../../src/output/progress.ts';
import {
	codeMarkdown,
	escapeHtml,
	escapeMarkdown,
	jsonForScript,
	plainText,
	shellWord,
	terminalText,
} from '../../src/text/escape.ts';
import { UserError } from '../../src/types/errors.ts';

const LIMIT = 120;
const FRAGMENTS = [
	...[
		'`',
		'``',
		'|',
		'\\',
		'\\|',
		'**',
		'_',
		'~~',
		'[',
		'](',
		')',
		'![',
		'[^1]',
		'$',
		'$$',
		'#',
		'# ',
		'- ',
		'> ',
		'1. ',
	],
	...[
		'<',
		'>',
		'</',
		'<!--',
		'-->',
		'<script>',
		'</script>',
		'</details>',
		'<b onclick=x>',
		'<a@b.cd>',
		'&amp;',
		'&#64;',
	],
	...[
		'@user',
		'@org/team',
		'#1',
		'GH-12',
		'o/r#7',
		'https://e.example/x',
		'www.e.example',
		'mailto:a@b.example',
		'a@b.example',
	],
	...[
		'javascript:alert(1)',
		'deadbeefcafe',
		'\n',
		'\r\n',
		'\t',
		'\u2028',
		'\u0000',
		'\u001b[31m',
		'\u202e',
		'\u2066',
		'\u200b',
	],
	...['\u0301\u0301\u0301\u0301', '\u{1f469}\u200d\u{1f4bb}', '\ud800', 'word', ' ', '測試'],
];
const hostileText = fc
	.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: 'binary' })), { maxLength: 12 })
	.map((parts) => parts.join(''));

const ZERO_WIDTH_SPACE = '\u200b';
const TABLE_HEAD = '| a | b |\n| - | - |\n';

/** GitHub's output before its filters; dangerous HTML and links are let through so that a leak is seen. */
function render(markdown: string): string {
	return micromark(markdown, {
		allowDangerousHtml: true,
		allowDangerousProtocol: true,
		extensions: [gfm()],
		htmlExtensions: [gfmHtml()],
	});
}

function textOf(html: string): string {
	return html
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&amp;', '&')
		.replaceAll(ZERO_WIDTH_SPACE, '');
}

/** Spaces at the ends of a line of Markdown do not show. */
function squeeze(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

test('plain text is one short line without control, bidirectional or lone surrogate characters', () => {
	fc.assert(
		fc.property(hostileText, fc.integer({ min: 1, max: LIMIT }), (text, limit) => {
			const plain = plainText(text, limit);
			assert.ok([...plain].length <= limit);
			assert.ok(plain.isWellFormed());
			assert.doesNotMatch(plain, /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
			assert.equal(plainText(plain, limit), plain);
		}),
	);
});

test('plain text keeps harmless characters and ends long text in an ellipsis', () => {
	assert.equal(plainText('GET /users?page=2 → 測試', LIMIT), 'GET /users?page=2 → 測試');
	assert.equal(plainText('a\tb\r\n\r\nc', LIMIT), 'a b c');
	assert.equal(plainText('x'.repeat(10_000), 5), 'xxxx…');
	assert.equal(plainText(`${' '.repeat(9000)}y`, 5), '…');
});

test('escaped Markdown shows as the text itself and makes no element, in a paragraph', () => {
	fc.assert(
		fc.property(hostileText, (text) => {
			const plain = plainText(text, LIMIT);
			const html = render(`a ${escapeMarkdown(plain)} z`);
			assert.match(html, /^<p>[^<>]*<\/p>$/);
			assert.equal(squeeze(textOf(html.slice(3, -4))), squeeze(`a ${plain} z`));
		}),
		{ numRuns: 500 },
	);
});

test('escaped Markdown stays inside its table cell', () => {
	fc.assert(
		fc.property(hostileText, (text) => {
			const plain = plainText(text, LIMIT);
			const html = render(`${TABLE_HEAD}| a ${escapeMarkdown(plain)} | z |`);
			const cells = [...html.matchAll(/<td>(.*?)<\/td>/gs)].map((match) => match[1] ?? '');
			assert.deepEqual(
				cells.map((cell) => squeeze(textOf(cell))),
				[squeeze(`a ${plain}`), 'z'],
			);
			assert.ok(cells.every((cell) => !/[<>]/.test(cell)));
		}),
		{ numRuns: 500 },
	);
});

test('escaped Markdown leaves no mention, reference or link for GitHub', () => {
	fc.assert(
		fc.property(hostileText, (text) => {
			const shown = render(`a ${escapeMarkdown(plainText(text, LIMIT))} z`);
			assert.doesNotMatch(shown, /@[a-z\d]|#\d|\bGH-\d|:\/\/|www\./i);
			assert.ok(!escapeMarkdown(text).includes('$'));
		}),
	);
	for (const sha of ['1a2b3c4', '1a2b3c4d', '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d']) {
		assert.doesNotMatch(escapeMarkdown(`at ${sha}.`), /[0-9a-f]{7}/);
	}
});

test('code shows as the text itself, in a paragraph and in a table', () => {
	fc.assert(
		fc.property(hostileText, (text) => {
			const plain = plainText(text, LIMIT);
			const expected = plain === '' ? '–' : plain;
			const code = codeMarkdown(plain);
			const paragraph = /^<p>a (?:<code>)?([^<>]*?)(?:<\/code>)? z<\/p>$/.exec(render(`a ${code} z`));
			assert.equal(textOf(paragraph?.[1] ?? 'no match'), expected);
			const cells = [...render(`${TABLE_HEAD}| ${code} | z |`).matchAll(/<td>(.*?)<\/td>/gs)].map(
				(match) => match[1] ?? '',
			);
			assert.equal(cells.length, 2);
			assert.equal(textOf((cells[0] ?? '').replace(/^<code>|<\/code>$/g, '')), expected);
		}),
		{ numRuns: 500 },
	);
});

test('escaped HTML holds no markup and reads as the text', () => {
	fc.assert(
		fc.property(hostileText, (text) => {
			const html = escapeHtml(text);
			assert.doesNotMatch(html, /[<>"']/);
			assert.equal(
				textOf(html.replaceAll('&#39;', "'")).replaceAll(ZERO_WIDTH_SPACE, ''),
				text.replaceAll(ZERO_WIDTH_SPACE, ''),
			);
		}),
	);
});

test('JSON in a script element cannot end it and reads back equal', () => {
	fc.assert(
		fc.property(hostileText, (text) => {
			const json = jsonForScript({ text });
			assert.doesNotMatch(json, /[<>&\u2028\u2029]/);
			assert.deepEqual(JSON.parse(json), { text });
		}),
	);
});

/** A title of a window, a cleared screen, an older line overwritten, and words in another order. */
const STEERING = '\u001b]0;owned\u0007\u001b[2J\u009b1A\rdone\b\u202egnp.exe';

test('text for a terminal keeps its lines and no control sequences', () => {
	assert.equal(terminalText('one\n\ttwo – ö 日本 🙂'), 'one\n\ttwo – ö 日本 🙂');
	const shown = terminalText(STEERING);
	assert.equal(shown, '\ufffd]0;owned\ufffd\ufffd[2J\ufffd1A\ufffddone\ufffd\ufffdgnp.exe');
});

test('neither steps nor errors let text of strangers control a terminal', () => {
	const lines: string[] = [];
	const stream = { isTTY: false, write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream;
	const progress = createProgress(stream, { quiet: false, everySeconds: 1, clock: () => 0 });
	progress.step(`Measuring ${STEERING}`);
	const parts = { where: STEERING, message: STEERING, details: STEERING, remedy: STEERING };
	reportError(new UserError({ code: 'x', ...parts }), stream);
	assert.equal(lines.length, 4);
	assert.doesNotMatch(lines.join('').replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
});

/** The arguments that a real shell reads from a command line. */
function readByShell(words: string): string {
	return execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8', env: { HOME: '/root' } });
}

test('a shell reads every word as it is', () => {
	const word = fc.oneof(
		fc.string({ unit: fc.constantFrom('~', '^', "'", '"', '$', '`', ' ', '*', '\\', '!', '#', '-', 'a', '/', '=') }),
		fc.string({ unit: 'grapheme' }),
	);
	const words = fc.array(
		word.filter((text) => !text.includes('\0')),
		{ minLength: 1, maxLength: 20 },
	);
	fc.assert(
		fc.property(words, (all) => {
			assert.equal(readByShell(all.map(shellWord).join(' ')), all.map((one) => `${one}\n`).join(''));
		}),
		{ numRuns: 60, seed: 5 },
	);
});

test('words without special characters get no quotes', () => {
	for (const word of ['npm:express@4.21.2', '--budget', '3%', 'koa@^2.0.0', './a/b-c_d', 'x=1,y=2']) {
		assert.equal(shellWord(word), word);
	}
});

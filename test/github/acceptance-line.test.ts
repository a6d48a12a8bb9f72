import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseAcceptance, REASON_LIMIT } from '../../src/github/acceptance-line.ts';

const LINE = 'benchgate: accepted the new parser is worth it';
const REASON = { reason: 'the new parser is worth it' };

for (const [name, body] of Object.entries({
	alone: LINE,
	'between paragraphs': `# Title\n\nText.\n\n${LINE}\n\nMore.`,
	'in a paragraph': `Text\n${LINE}\nmore`,
	'with Windows line ends': `Text\r\n\r\n${LINE}\r\n`,
	'in capitals': 'BenchGate: Accepted the new parser is worth it',
	'without a space': 'benchgate:accepted the new parser is worth it',
	'with a dash': 'benchgate: accepted – the new parser is worth it',
	'with a colon': 'benchgate: accepted: the new parser is worth it',
	indented: `  ${LINE}  `,
	'above a line of hyphens': `${LINE}\n---`,
	'between the tags of details': `<details>\n\n${LINE}\n\n</details>`,
	'behind a closed fence': `\`\`\`\ncode\n\`\`\`\n${LINE}`,
	'behind a closed comment': `<!-- template -->\n${LINE}`,
	'behind a list': `- one\n- two\n\n${LINE}`,
	'after lines that do not count': `> ${LINE}\n\nbenchgate: accepted\n\n${LINE}`,
	'behind inline code that ends before it': `\`code\`\n${LINE}`,
})) {
	test(`accepted: the line ${name}`, () => {
		assert.deepEqual(parseAcceptance(body), REASON);
	});
}

for (const [name, body] of Object.entries({
	'in a fence': `\`\`\`\n${LINE}\n\`\`\``,
	'in a fence of tildes': `~~~ text\n${LINE}\n~~~`,
	'in a fence that is never closed': `Text\n\n\`\`\`\n${LINE}`,
	'in a longer fence with a shorter one inside': `\`\`\`\`\n\`\`\`\n${LINE}\n\`\`\`\n\`\`\`\``,
	'in a fence of a list': `- one\n  \`\`\`\n  ${LINE}\n  \`\`\``,
	'indented as code': `Text.\n\n    ${LINE}`,
	'indented by a tab': `Text.\n\n\t${LINE}`,
	'in a comment': `<!--\n${LINE}\n-->`,
	'in a comment that is never closed': `Text\n\n<!-- ${'\n'}\n${LINE}`,
	'in a comment inside a paragraph': `Text <!-- hidden\n${LINE}\n--> more`,
	'in preformatted HTML': `<pre>\n${LINE}\n</pre>`,
	'in an attribute': `Text <a title="\n${LINE}\n">x</a>`,
	'in code over several lines': `Text \`code\n${LINE}\n\` more`,
	'in a quote': `> ${LINE}`,
	'in a quote of a quote': `> > ${LINE}`,
	'as a quote’s lazy last line': `> Somebody said\n${LINE}`,
	'as a heading': `# ${LINE}`,
	'as a list item': `- ${LINE}`,
	'in the title of a link': `Text [x](/y "\n${LINE}\n")`,
	'in the middle of a line': `I hope for ${LINE}`,
	'as the title of a reference': `[x]: /y "\n${LINE}\n"`,
	'in other words': 'benchgate: acceptedly fine\n\nbenchgate: not accepted because slow\n\nbenchgate accepted x',
})) {
	test(`not accepted: the line ${name}`, () => {
		assert.equal(parseAcceptance(body), null);
	});
}

for (const body of [
	'benchgate: accepted',
	'benchgate: accepted   ',
	'benchgate: accepted:',
	'benchgate: accepted – …',
	'benchgate: accepted <reason>',
	'benchgate: accepted <!-- why -->',
]) {
	test(`no reason: ${JSON.stringify(body)}`, () => {
		assert.deepEqual(parseAcceptance(body), { problem: 'no-reason' });
	});
}

test('a reason has a limit, counted in characters', () => {
	assert.deepEqual(parseAcceptance(`benchgate: accepted ${'😀a'.repeat(REASON_LIMIT / 2)}`), {
		reason: '😀a'.repeat(REASON_LIMIT / 2),
	});
	assert.deepEqual(parseAcceptance(`benchgate: accepted ${'a'.repeat(REASON_LIMIT + 1)}`), { problem: 'too-long' });
});

test('the reason is data: it is given back as written', () => {
	const reason = '@everyone <img src=x onerror=alert(1)> [a](javascript:b) | $(secrets) \u202e';
	assert.deepEqual(parseAcceptance(`benchgate: accepted ${reason}`), { reason });
});

const PIECES = [
	'```',
	'~~~',
	'<!--',
	'-->',
	'> ',
	'- ',
	'    ',
	'\t',
	'`',
	'<pre>',
	'</pre>',
	'# ',
	'---',
	'text',
	'[x]: ',
	'"',
];
const noise = fc.array(fc.oneof(fc.constantFrom(...PIECES, '\n', '\r\n', '\r', '\n\n', LINE), fc.string()), {
	maxLength: 30,
});

test('any body is an acceptance with a reason, a problem, or nothing', () => {
	fc.assert(
		fc.property(noise, (pieces) => {
			const found = parseAcceptance(pieces.join(''));
			if (found === null || 'problem' in found) return;
			assert.ok([...found.reason].length <= REASON_LIMIT);
			assert.match(found.reason, /[\p{L}\p{N}]/u);
			assert.doesNotMatch(found.reason, /[\r\n]/);
		}),
		{ seed: 1, numRuns: 2000 },
	);
});

test('nothing that stands before it in a closed block of its own hides a line, and no fence or comment shows one', () => {
	const words = fc.stringMatching(/^[a-z ]{0,20}$/);
	fc.assert(
		fc.property(words, fc.constantFrom(['```', '```'], ['~~~~', '~~~~'], ['<!--', '-->']), (text, [open, close]) => {
			assert.deepEqual(parseAcceptance(`${open}\n${text}\n${close}\n\n${LINE}`), REASON);
			assert.equal(parseAcceptance(`${text}\n\n${open}\n${text}\n${LINE}\n${close}\n`), null);
		}),
		{ seed: 2, numRuns: 500 },
	);
});

test('a body at GitHub’s limit made to be slow is read like any other', () => {
	for (const piece of ['> ', '`', '<!--', '[', '- ', '1. ', '*_', '<a b="', '[a](<', '- a\n', 'a\n> ']) {
		const body = `${piece.repeat(Math.floor(65_000 / piece.length))}\n\n`;
		assert.deepEqual(parseAcceptance(`${LINE}\n\n${body}`), REASON);
	}
});

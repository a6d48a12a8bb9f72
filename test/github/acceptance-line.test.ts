import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
	COMMIT_DIGITS,
	holdsFor,
	REASON_LIMIT,
	type ReadLine,
	readAcceptanceLines,
} from '../../src/github/acceptance-line.ts';
import { KIND_WORDS } from '../../src/text/accepted-words.ts';

const SHA = '0123456789abcdef0123456789abcdef01234567';
const LINE = `benchgate: accepted ${SHA} the new parser is worth it`;
const READ: ReadLine = { commit: SHA, rows: null, reason: 'the new parser is worth it' };

function row(
	cell: string | null,
	kind: 'regressed' | 'broken' | 'removed' | 'answer-changed',
	upTo: number | null = null,
) {
	return { cell, kind, upTo };
}

for (const [name, body] of Object.entries({
	alone: LINE,
	'between paragraphs': `# Title\n\nText.\n\n${LINE}\n\nMore.`,
	'in a paragraph': `Text\n${LINE}\nmore`,
	'with Windows line ends': `Text\r\n\r\n${LINE}\r\n`,
	'in capitals': `BenchGate: Accepted ${SHA.toUpperCase()} the new parser is worth it`,
	'without a space': `benchgate:accepted ${SHA} the new parser is worth it`,
	'with a dash': `benchgate: accepted – ${SHA} – the new parser is worth it`,
	'with a colon': `benchgate: accepted: ${SHA} the new parser is worth it`,
	indented: `  ${LINE}  `,
	'above a line of hyphens': `${LINE}\n---`,
	'between the tags of details': `<details>\n\n${LINE}\n\n</details>`,
	'behind a closed fence': `\`\`\`\ncode\n\`\`\`\n${LINE}`,
	'behind a closed comment': `<!-- template -->\n${LINE}`,
	'behind a list': `- one\n- two\n\n${LINE}`,
	'after lines that do not count': `> ${LINE}\n\n- ${LINE}\n\n${LINE}`,
	'behind inline code that ends before it': `\`code\`\n${LINE}`,
})) {
	test(`accepted: the line ${name}`, () => {
		assert.deepEqual(readAcceptanceLines(body), [READ]);
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
		assert.deepEqual(readAcceptanceLines(body), []);
	});
}

for (const [text, read] of [
	[`${SHA} why`, { commit: SHA, rows: null, reason: 'why' }],
	[`${SHA.slice(0, COMMIT_DIGITS)} why`, { commit: SHA.slice(0, COMMIT_DIGITS), rows: null, reason: 'why' }],
	['express/ping -6% why', { commit: null, rows: row('express/ping', 'regressed', 0.06), reason: 'why' }],
	['express/ping −6.5 % why', { commit: null, rows: row('express/ping', 'regressed', 0.065), reason: 'why' }],
	['express/ping +7% - why not', { commit: null, rows: row('express/ping', 'regressed', 0.07), reason: 'why not' }],
	['all -6% why', { commit: null, rows: row(null, 'regressed', 0.06), reason: 'why' }],
	['express/ping removed why', { commit: null, rows: row('express/ping', 'removed'), reason: 'why' }],
	[`${SHA} express/ping removed why`, { commit: SHA, rows: row('express/ping', 'removed'), reason: 'why' }],
	[`${SHA} express/ping -6% why`, { commit: SHA, rows: row('express/ping', 'regressed', 0.06), reason: 'why' }],
	[`${SHA} my.app/a_b-c broken why`, { commit: SHA, rows: row('my.app/a_b-c', 'broken'), reason: 'why' }],
	[`${SHA} express/ping answer why`, { commit: SHA, rows: row('express/ping', 'answer-changed'), reason: 'why' }],
	[`${SHA} all removed why`, { commit: SHA, rows: row(null, 'removed'), reason: 'why' }],
	[`${SHA} all of it is intended`, { commit: SHA, rows: null, reason: 'all of it is intended' }],
	[`${SHA} removed the cache`, { commit: SHA, rows: null, reason: 'removed the cache' }],
] as const) {
	test(`read: ${text}`, () => {
		assert.deepEqual(readAcceptanceLines(`benchgate: accepted ${text}`), [read]);
	});
}

for (const [problem, texts] of Object.entries({
	'no-reason': [
		'',
		'   ',
		':',
		' – …',
		SHA,
		`${SHA} <reason>`,
		`${SHA} <!-- why -->`,
		`${SHA} REASON`,
		'express/ping -6%',
		'express/ping removed REASON',
	],
	'no-commit': [
		'why',
		'all removed why',
		'all regressed why',
		'express/ping regressed why',
		'express/ping broken why',
		'express/ping answer why',
		'0123 why',
		'removed why',
	],
	'no-kind': [
		'express/ping why',
		'express/ping 6 why',
		'express/ping -0% why',
		'express/ping -6,5% why',
		'express/ping -9999% why',
		'-6% why',
		`${SHA} -6% why`,
		`${SHA} ping removed why`,
		`${SHA} express/ping, removed why`,
		`${SHA} express/ping: removed why`,
		`${SHA} \`express/ping\` broken why`,
		`${SHA} the answer changed`,
	],
	'short-commit': ['0123456 why', `${SHA.slice(0, COMMIT_DIGITS - 1)} why`, '0123456 express/ping broken why'],
})) {
	for (const text of texts) {
		test(`${problem}: ${JSON.stringify(text)}`, () => {
			assert.deepEqual(readAcceptanceLines(`benchgate: accepted ${text}`), [{ problem }]);
		});
	}
}

test('every line counts separately', () => {
	const text = `${LINE}\n\nbenchgate: accepted\n\nbenchgate: accepted express/ping -6% why`;
	assert.deepEqual(readAcceptanceLines(text), [
		READ,
		{ problem: 'no-reason' },
		{ commit: null, rows: row('express/ping', 'regressed', 0.06), reason: 'why' },
	]);
});

test('a reason has a limit, counted in characters', () => {
	const [line] = readAcceptanceLines(`benchgate: accepted ${SHA} ${'😀a'.repeat(REASON_LIMIT / 2)}`);
	assert.deepEqual(line, { commit: SHA, rows: null, reason: '😀a'.repeat(REASON_LIMIT / 2) });
	assert.deepEqual(readAcceptanceLines(`benchgate: accepted ${SHA} ${'a'.repeat(REASON_LIMIT + 1)}`), [
		{ problem: 'too-long' },
	]);
});

test('the reason is data: it is returned as written', () => {
	const reason = '@everyone <img src=x onerror=alert(1)> [a](javascript:b) | $(secrets) \u202e';
	assert.deepEqual(readAcceptanceLines(`benchgate: accepted ${SHA} ${reason}`), [{ commit: SHA, rows: null, reason }]);
});

test('a line holds for its commit, and one without a commit for all', () => {
	const line = (commit: string | null) => ({ commit, rows: null, reason: 'why' });
	assert.ok(holdsFor(line(SHA), SHA));
	assert.ok(holdsFor(line(SHA.slice(0, COMMIT_DIGITS)), SHA));
	assert.ok(holdsFor(line(null), SHA));
	assert.ok(!holdsFor(line(SHA), `${SHA.slice(0, -1)}0`));
	assert.ok(!holdsFor(line(`${SHA}${SHA.slice(0, 24)}`), SHA));
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

const words = fc.array(
	fc.constantFrom(
		'express/ping',
		'all',
		'-6%',
		'−6 %',
		'removed',
		'broken',
		SHA,
		'0123456',
		'-',
		':',
		'why',
		'..',
		'0%',
	),
	{ maxLength: 6 },
);
const lines = words.map((some) => `benchgate: accepted ${some.join(' ')}`);

test('in any text, an acceptance is bounded: by a commit, a size, or one removed row', () => {
	const text = fc.array(
		fc.oneof(
			noise.map((pieces) => pieces.join('')),
			lines,
		),
		{ maxLength: 5 },
	);
	fc.assert(
		fc.property(text, (parts) => {
			for (const read of readAcceptanceLines(parts.join('\n\n'))) {
				if ('problem' in read) continue;
				const { commit, rows, reason } = read;
				assert.ok([...reason].length <= REASON_LIMIT);
				assert.match(reason, /[\p{L}\p{N}]/u);
				assert.doesNotMatch(reason, /[\r\n]/);
				if (rows?.cell) assert.match(rows.cell, /^[\w.-]+\/[\w.-]+$/);
				if (rows?.kind) assert.ok(rows.kind in KIND_WORDS);
				if (commit === null) assert.ok(rows && (rows.upTo !== null || (rows.cell !== null && rows.kind === 'removed')));
				else assert.ok(commit.length >= COMMIT_DIGITS && /^[0-9a-f]+$/.test(commit));
			}
		}),
		{ seed: 1, numRuns: 2000 },
	);
});

test('a closed block before a line does not hide it, and no fence or comment shows one', () => {
	const plain = fc.stringMatching(/^[a-z ]{0,20}$/);
	fc.assert(
		fc.property(plain, fc.constantFrom(['```', '```'], ['~~~~', '~~~~'], ['<!--', '-->']), (text, [open, close]) => {
			assert.deepEqual(readAcceptanceLines(`${open}\n${text}\n${close}\n\n${LINE}`), [READ]);
			assert.deepEqual(readAcceptanceLines(`${text}\n\n${open}\n${text}\n${LINE}\n${close}\n`), []);
		}),
		{ seed: 2, numRuns: 500 },
	);
});

test('a body at GitHub’s limit, designed to be slow, is read like any other', () => {
	for (const piece of ['> ', '`', '<!--', '[', '- ', '1. ', '*_', '<a b="', '[a](<', '- a\n', 'a\n> ']) {
		const body = `${piece.repeat(Math.floor(65_000 / piece.length))}\n\n`;
		assert.deepEqual(readAcceptanceLines(`${LINE}\n\n${body}`), [READ]);
	}
	assert.equal(readAcceptanceLines(`${LINE}\n\n`.repeat(800)).length, 50);
});

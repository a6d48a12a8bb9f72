import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { acceptRedRows } from '../../../src/judge/acceptance.ts';
import { renderComment } from '../../../src/report/github/comment.ts';
import { renderMeasuring } from '../../../src/report/github/comment-measuring.ts';
import { renderLog } from '../../../src/report/github/render-failure.ts';
import type { Conclusion } from '../../../src/types/action-run.ts';
import { CONTEXT, MEASURING } from '../../support/comment-cases.ts';
import { elementsIn, parseMarkdown, textIn } from '../../support/pages/github-markdown.ts';
import { HOSTILE } from '../../support/result-cases.ts';
import { resultOf } from '../../support/results.ts';

const FRAGMENTS = [
	...[
		'`',
		'```',
		'~~~',
		'    ',
		'|',
		'\\',
		'**',
		'_',
		'[',
		'](',
		')',
		'![',
		'[^1]',
		'$',
		'# ',
		'- ',
		'> ',
		'1. ',
		'---',
	],
	...[
		'<',
		'>',
		'<!--',
		'-->',
		'<script>',
		'</details>',
		'<details>',
		'</sub>',
		'<a href="javascript:x">',
		'&lt;',
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
		'javascript:alert(1)',
		'===',
	],
	...['\n', '\n\n', '\r\n', '\t', '\u2028', '\u0000', '\u001b[31m', '\u202e', '\u200b', '\u0301\u0301\u0301', '\ud800'],
	...['word', ' ', ...Object.values(HOSTILE)],
];
const hostile = fc
	.array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: 'binary' })), { maxLength: 10 })
	.map((parts) => parts.join(''));
const hostileLine = hostile.map((text) => text.replace(/[\r\n]/g, ' ').trim());
const AUTOLINK = /@[a-z\d]|#\d|\bGH-\d|:\/\/|\bwww\./i;

/** The elements of a comment in order. A name in code and an empty name's dash count as equal. */
function skeletonOf(markdown: string): string {
	const names = elementsIn(parseMarkdown(markdown)).map(({ tagName }) => tagName);
	return names.filter((name) => name !== 'code').join(' ');
}

test('no text of a failure changes the structure of the comment', () => {
	const comment = ([message, where, remedy, code, warning]: readonly string[]): string => {
		const failure = {
			code: `${code}`,
			side: 'head',
			message: `a ${message}`,
			where: `${where}`,
			remedy: `${remedy}`,
			details: 'log',
			usage: false,
		} as const;
		const warnings = [{ code: `${code}`, message: `w ${warning}` }];
		return renderComment({ kind: 'failed', failure }, { ...CONTEXT, warnings });
	};
	const expected = skeletonOf(comment(['m', 'w', 'r', 'c', 'w']));
	fc.assert(
		fc.property(fc.array(hostileLine, { minLength: 5, maxLength: 5 }), (texts) => {
			const markdown = comment(texts);
			assert.equal(skeletonOf(markdown), expected);
			assert.doesNotMatch(textIn(parseMarkdown(markdown), 'code', 'pre'), AUTOLINK);
		}),
		{ seed: 7, numRuns: 500 },
	);
});

test('problems of a config stay one line of the list each', () => {
	fc.assert(
		fc.property(fc.array(hostileLine, { minLength: 2, maxLength: 20 }), (texts) => {
			const lines = texts.filter((text) => text !== '');
			fc.pre(lines.length >= 2);
			const failure = {
				code: 'bad-config',
				side: null,
				message: lines.join('\n'),
				where: null,
				remedy: null,
				details: null,
				usage: true,
			};
			const tree = parseMarkdown(renderComment({ kind: 'failed', failure }, CONTEXT));
			assert.equal(elementsIn(tree, 'li').length, Math.min(lines.length, 11));
			assert.equal(elementsIn(tree, 'ul').length, 1);
			assert.equal(elementsIn(tree, 'pre').length, 0);
		}),
		{ seed: 7, numRuns: 500 },
	);
});

test('a log stays one block of code, whatever it contains', () => {
	fc.assert(
		fc.property(hostile, (log) => {
			const markdown = renderLog(log);
			fc.pre(markdown !== '');
			const tree = parseMarkdown(`before\n\n${markdown}\n\nafter`);
			assert.deepEqual(
				elementsIn(tree).map(({ tagName }) => tagName),
				['p', 'pre', 'code', 'p'],
			);
			assert.doesNotMatch(textIn(tree), /[^\P{Cc}\n]|\p{Bidi_Control}/u);
		}),
		{ seed: 7, numRuns: 1000 },
	);
});

test('who accepted, why, the label and the names of sides change only words', () => {
	const result = resultOf([{ scenario: 'ping', verdict: 'regressed', change: -0.1 }], 'fail');
	const comment = (by: string, reason: string, label: string): string => {
		const accepted = acceptRedRows(result, [{ by, via: 'body', reason: `r${reason}` }]);
		const conclusion: Conclusion = { kind: 'compared', result: accepted };
		const open: Conclusion = { kind: 'compared', result };
		const context = { ...CONTEXT, acceptLabel: `l${label}` };
		return `${renderComment(conclusion, context)}\n${renderComment(open, context)}`;
	};
	const expected = skeletonOf(comment('octocat', 'reason', 'label'));
	const measuring = skeletonOf(renderMeasuring(MEASURING));
	fc.assert(
		fc.property(hostile, hostile, hostile, (by, reason, label) => {
			assert.equal(skeletonOf(comment(by, reason, label)), expected);
			assert.equal(skeletonOf(renderMeasuring({ ...MEASURING, baseLabel: by, headSha: reason })), measuring);
			const same: Conclusion = { kind: 'unchanged', base: { label: by }, head: { label: reason } };
			assert.equal(skeletonOf(renderComment(same, { ...CONTEXT, headSha: label })), 'h3 p p strong p sub a');
		}),
		{ seed: 7, numRuns: 300 },
	);
});

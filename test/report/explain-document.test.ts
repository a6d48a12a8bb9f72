/** The explanation of rows in all media, and its file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExplanation, renderExplanation } from '../../src/formats/explanation-file.ts';
import { toHtml } from '../../src/report/document/html-writer.ts';
import { toMarkdown } from '../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../src/report/document/terminal-writer.ts';
import { whyOf } from '../../src/report/explain/why.ts';
import { explainDocument } from '../../src/report/explain-document.ts';
import { plainPhrase } from '../../src/text/phrase.ts';
import type { Counts } from '../../src/types/explain/counts.ts';
import type { ExplainedRow } from '../../src/types/explain.ts';
import { assertGolden } from '../support/golden.ts';
import { countedFunction, countsOf, explainedRow, explanationOf, profileOf } from './explain-cases.ts';

const BYTES = { kind: 'bytes-allocated', base: 1900, head: 2310, varies: false } as const;
const HANDLE = { path: 'lib/router.js', line: 40, name: 'handle' };

const why = (counts: Partial<Counts>, row: Partial<ExplainedRow> = {}) =>
	plainPhrase(whyOf(explainedRow({ counts: countsOf(counts), ...row })));

const figure = (base: number, head = base) => ({ base, head, varies: false, differs: base !== head });
const DATABASE = {
	...{ address: '127.0.0.1:5432', name: 'postgres', roundTrips: figure(1, 1.02) },
	...{ bytesSent: figure(73, 73.28), bytesReceived: figure(70) },
};
const NO_NODE = { side: 'head', kind: 'process', detail: 'python (process 7)' } as const;

const CASES: readonly (readonly [string, string])[] = [
	[
		why({ functions: [countedFunction(), countedFunction({ head: 13, state: 'same' })], work: [BYTES] }),
		'layer.match runs 24× instead of 12× a request (lib/router.js:122, changed here). 1 other function runs more often. Head allocates 2,310 instead of 1,900 bytes a request.',
	],
	[
		why({ functions: [countedFunction({ base: 0, head: 0.02, state: 'new', varies: true })] }),
		'layer.match runs about 0.02× a request (lib/router.js:122, new here).',
	],
	[
		why({ functions: [countedFunction({ state: 'same', caller: HANDLE })] }),
		'handle (lib/router.js:40, changed here) calls layer.match, which runs 24× instead of 12× a request (lib/router.js:122).',
	],
	[
		why({
			functions: [
				countedFunction({
					path: 'node_modules/qs/lib/parse.js',
					package: { name: 'qs', base: '6.13.0', head: '6.14.0' },
				}),
			],
		}),
		'layer.match runs 24× instead of 12× a request (qs/lib/parse.js:122, qs 6.13.0 → 6.14.0).',
	],
	[
		why({ functions: [countedFunction()], work: [BYTES], peers: [DATABASE] }),
		'layer.match runs 24× instead of 12× a request (lib/router.js:122, changed here). Head makes 1.02 instead of 1 round trips a request to postgres (127.0.0.1:5432).',
	],
	[
		why({ peers: [{ ...DATABASE, name: null }], unseen: [NO_NODE] }),
		'Head makes 1.02 instead of 1 round trips a request to 127.0.0.1:5432.',
	],
	[
		why({ peers: [{ ...DATABASE, roundTrips: figure(1) }], unseen: [NO_NODE] }),
		'not located: round trips to other programs are equal, and calls are counted in Node programs alone.',
	],
	[
		why({ functions: [countedFunction({ base: 1, head: 1 })], work: [BYTES] }),
		'Head allocates 2,310 instead of 1,900 bytes a request. Changed code that it runs: layer.match (lib/router.js:122).',
	],
	[
		why({ functions: [countedFunction({ base: 1, head: 1 })] }),
		'not located: both sides do the same counted work a request, so something in it got slower. Changed code that it runs: layer.match (lib/router.js:122).',
	],
	[
		why(
			{ functions: [countedFunction(), countedFunction({ base: 3, head: 1, name: 'parse' })] },
			{ verdict: 'improved' },
		),
		'parse runs 1× instead of 3× a request (lib/router.js:122, changed here).',
	],
	[
		why({ functions: [countedFunction({ base: 1, head: 1 })] }, { verdict: null }),
		'both sides do the same counted work a request. Changed code that it runs: layer.match (lib/router.js:122).',
	],
	[
		why({ unseen: [{ side: 'head', kind: 'process', detail: 'the server is no Node program' }] }),
		'not located: calls are counted in Node programs alone.',
	],
	[
		plainPhrase(whyOf(explainedRow({ counts: null, unreached: ['counts'] }))),
		'not explained, because its turn did not come.',
	],
];

test('names in at most 40 words what head does more often, and where', () => {
	for (const [words, expected] of CASES) {
		assert.equal(words, expected);
		assert.ok(words.split(' ').length <= 40, words);
	}
});

const HOSTILE = '<script>alert(1)</script>\u001b[31m`|@user #1';
const explanation = explanationOf([
	explainedRow({
		counts: countsOf({
			functions: [
				countedFunction({ state: 'same', caller: HANDLE }),
				countedFunction({ ...HANDLE, base: 1, head: 1 }),
				countedFunction({ name: HOSTILE, path: `${HOSTILE}.js`, base: 0, head: 1, state: 'new' }),
				countedFunction({ name: 'old', side: 'base', state: 'gone', base: 1, head: 0 }),
			],
			work: [BYTES, { kind: 'promises', base: 5, head: 6, varies: true }],
			unseen: [{ side: 'head', kind: 'native', detail: HOSTILE }],
		}),
	}),
	explainedRow({
		scenario: 'notes',
		counts: countsOf({ peers: [DATABASE, { ...DATABASE, address: HOSTILE, name: HOSTILE }], unseen: [NO_NODE] }),
	}),
	explainedRow({ scenario: 'ping', counts: null, unreached: ['counts'], notes: [HOSTILE] }),
]);

test('is written for a terminal, as Markdown and as HTML, without active text', () => {
	const document = explainDocument(explanation);
	assertGolden('explain/explanation.txt', `${toTerminal(document, { colour: false, width: 100 })}\n`);
	assertGolden('explain/explanation.md', toMarkdown(document));
	const html = toHtml(document);
	assert.doesNotMatch(html, /<script>alert/);
	assert.match(html, /&lt;script&gt;alert/);
});

test('its file can be read again, and another file is refused', () => {
	assert.deepEqual(readExplanation(renderExplanation(explanation)), { explanation });
	const profiled = explanationOf([explainedRow({ profile: profileOf() })]);
	assert.deepEqual(readExplanation(renderExplanation(profiled)), { explanation: profiled });
	const text = renderExplanation(explanation).replace('"line": 122', '"line": "122"');
	assert.match(JSON.stringify(readExplanation(text)), /line must be integer/);
	assert.match(JSON.stringify(readExplanation('{}')), /does not hold an explanation/);
});

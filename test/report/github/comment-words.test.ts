/** The number of words in a comment outside of folds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderComment } from '../../../src/report/github/comment.ts';
import type { Result } from '../../../src/types/result.ts';
import { CONTEXT } from '../../support/comment-cases.ts';
import { elementsIn, parseMarkdown, textIn } from '../../support/pages/github-markdown.ts';
import { type RowSketch, resultOf } from '../../support/results.ts';

/** Kept free for two features: the code that is slower (25), and why (40). */
const FREE = 65;
const DASHBOARD = 'https://expressjs.github.io/express/';

function rowsOf(count: number, red: number): readonly RowSketch[] {
	return Array.from({ length: count }, (_, index) => ({
		server: ['express', 'koa', 'fastify', 'hono'][index % 4] as string,
		scenario: `route-${index}`,
		...(index < red ? ({ verdict: 'regressed', change: -0.08 - index / 1000 } as const) : { change: index / 1e5 }),
	}));
}

const commentOf = (result: Result): string =>
	renderComment({ kind: 'compared', result }, { ...CONTEXT, dashboard: DASHBOARD });

/** Words outside of folds, with the summaries of folds. */
function wordsOf(markdown: string): number {
	const tree = parseMarkdown(markdown);
	const folds = elementsIn(tree, 'details').map((fold) =>
		fold.children
			.slice(1)
			.map((child) => ('children' in child ? textIn(child) : ''))
			.join(' '),
	);
	const countIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
	return countIn(textIn(tree)) - folds.reduce((sum, text) => sum + countIn(text), 0);
}

for (const [title, count, red, most] of [
	['all of 6 rows pass', 6, 0, 60],
	['1 of 24 rows regressed', 24, 1, 200 - FREE],
	['12 of 100 rows regressed', 100, 12, 350 - FREE],
] as const) {
	test(`${title}: at most ${most} words before a fold is opened`, () => {
		const words = wordsOf(commentOf(resultOf(rowsOf(count, red), red > 0 ? 'fail' : 'pass')));
		assert.ok(words > 20 && words <= most, `${words} words`);
	});
}

test('each row leads to its page on the dashboard', () => {
	const comment = commentOf(resultOf(rowsOf(6, 1), 'fail'));
	assert.ok(comment.includes(`[\`express/route-0\`](${DASHBOARD}#/row/express/route-0)`));
});

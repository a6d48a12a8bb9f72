/** Why rows changed, in the reports of a comparison. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCheck } from '../../src/report/github/check.ts';
import { type CommentContext, renderComment } from '../../src/report/github/comment.ts';
import { renderHtml } from '../../src/report/html/html.ts';
import type { ExplainedRow } from '../../src/types/explain.ts';
import { CONTEXT, SHA } from '../support/comment-cases.ts';
import { assertGolden } from '../support/golden.ts';
import { resultCase } from '../support/result-cases.ts';
import { chartsOf } from '../support/results.ts';
import { countedFunction, countsOf, explainedRow, explanationOf, HUNK, proofOf } from './explain-cases.ts';

const RESULT = resultCase('one-regressed');
const CELL = RESULT.cells.find(({ verdict }) => verdict === 'regressed') ?? assert.fail();
const ROW = { server: CELL.server, scenario: CELL.scenario };

function contextOf(rows: readonly ExplainedRow[]): CommentContext {
	return {
		...CONTEXT,
		explanation: explanationOf(rows),
		placeOf: ({ path, line }) => (path === HUNK.path ? { path, line } : null),
	};
}

const commentOf = (rows: readonly ExplainedRow[]) =>
	renderComment({ kind: 'compared', result: RESULT }, contextOf(rows));
const whyIn = (comment: string) => comment.split('\n').find((line) => line.startsWith('**Why**')) ?? '';

const PROVEN = explainedRow({
	...ROW,
	counts: countsOf({ functions: [countedFunction()] }),
	proof: proofOf(),
});

test('a comment gives the cause in two lines below the row, with a link to the line that head changes', () => {
	const url = `https://github.com/expressjs/express/blob/${SHA}/lib/router.js#L122`;
	assert.equal(
		whyIn(commentOf([PROVEN])),
		`**Why** (proven): \`layer.match\` runs 24× instead of 12× a request ([\`lib/router.js:122\`](${url}), changed here).<br>Without that hunk head is −0.4 % [−1.6 … +0.8] of base.`,
	);
	const elsewhere = explainedRow({ ...ROW, counts: countsOf({ functions: [countedFunction({ path: 'lib/x.js' })] }) });
	assert.match(whyIn(commentOf([elsewhere])), /\(`lib\/x\.js:122`, changed here\)\.$/);
});

test('a comment with a proven cause is as reviewed', () =>
	assertGolden('explain/comment.md', `${commentOf([PROVEN])}\n`));

test('a comment has at most 40 words on a row, whatever the cause', () => {
	const prose = 'one two three four five six seven eight nine ten eleven twelve ';
	const caller = countedFunction({ line: 120, name: prose, base: 1, head: 1 });
	const long = explainedRow({
		...ROW,
		counts: countsOf({ functions: [countedFunction({ name: prose, state: 'same', caller }), caller] }),
		proof: proofOf({ because: prose.repeat(5) }),
	});
	const note = explainedRow({ ...ROW, counts: null, notes: [prose.repeat(9)] });
	for (const row of [long, note]) {
		const line = whyIn(commentOf([row]));
		const words = line.replace('<br>', ' ').match(/\S+/g) ?? [];
		assert.ok(words.length > 30 && words.length <= 40, `${words.length}: ${line}`);
	}
});

test('the check annotates the line that head changes, once for all rows, after the rows', () => {
	const both = [
		PROVEN,
		{ ...PROVEN, scenario: 'other' },
		{ ...PROVEN, scenario: 'calm', verdict: 'improved' as const },
	];
	const { annotations } = buildCheck({ kind: 'compared', result: RESULT }, { ...contextOf(both), lineOf: () => null });
	assert.deepEqual(annotations, [
		{
			...{ path: 'lib/router.js', line: 118, level: 'warning' },
			title: `Why ${ROW.server}/${ROW.scenario} and 1 more row regressed`,
			message:
				'layer.match runs 24× instead of 12× a request (lib/router.js:122, changed here). Without that hunk head is −0.4 % [−1.6 … +0.8] of base.',
		},
	]);
});

test('a page leads from a row to its cause', () => {
	const audience = { explanation: explanationOf([PROVEN, { ...PROVEN, scenario: '"><img src=x>' }]) };
	const html = renderHtml(RESULT, chartsOf(RESULT), '', audience);
	const [, to = ''] = /<a href="#(why-[^"]+)">why<\/a>/.exec(html) ?? [];
	assert.equal(to, `why-${ROW.server}/${ROW.scenario}`);
	assert.equal(html.split(`id="${to}"`).length, 2);
	assert.match(html, /Without that hunk head is/);
	assert.doesNotMatch(html, /<img/);
	assert.doesNotMatch(renderHtml(RESULT, chartsOf(RESULT), ''), /#why-/);
});

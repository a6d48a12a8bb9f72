import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderCheckSummary, renderComment, renderSummary } from '../../../src/report/github/comment.ts';
import { renderMeasuring } from '../../../src/report/github/comment-measuring.ts';
import { GATE_MODES } from '../../../src/types/action-run.ts';
import { INCONCLUSIVE_POLICIES } from '../../../src/types/config.ts';
import { COMMENT_CASES, CONTEXT, commentCase, MEASURING } from '../../support/comment-cases.ts';
import { assertGolden } from '../../support/golden.ts';
import { resultCase } from '../../support/result-cases.ts';

const commentOf = (name: string): string => {
	const { conclusion, context } = commentCase(name);
	return renderComment(conclusion, context);
};

describe('the comment of every situation is as reviewed', () => {
	// The tests below read the comment of 200 rows.
	for (const name of Object.keys(COMMENT_CASES).filter((one) => one !== 'two-hundred')) {
		test(name, () => assertGolden(`comment/${name}.md`, commentOf(name)));
	}
	test('measuring', () => assertGolden('comment/measuring.md', renderMeasuring(MEASURING)));
	test('measuring in shards', () => {
		const of = (ended: readonly number[]) => renderMeasuring({ ...MEASURING, shards: { of: 3, ended } });
		assertGolden('comment/measuring-in-shards.md', of([1, 3]));
		assert.match(of([]), /\n3 shards at the same time, one on each machine\.\n/);
		assert.match(of([2]), /\n1 of 3 shards has ended: shard 2\.\n/);
		assert.match(of([1, 2, 3]), /\nAll 3 shards have ended\.\n/);
		const single = renderMeasuring({ ...MEASURING, shards: { of: 1, ended: [] } });
		assert.match(single, /\nOne shard\.\n\nStarted [^;]*; it measures for at most/);
	});
	test('measuring, with the report of an earlier commit', () => {
		const previous = commentOf('one-regressed');
		assertGolden('comment/measuring-again.md', renderMeasuring({ ...MEASURING, previous }));
	});
});

describe('every text fits its place and ends in its last line', () => {
	for (const [name, make] of Object.entries(COMMENT_CASES)) {
		test(name, () => {
			const { conclusion, context } = make();
			const comment = renderComment(conclusion, context);
			const check = renderCheckSummary(conclusion, context);
			const summary = renderSummary(conclusion, context);
			assert.ok(comment.length <= 65_000, `comment: ${comment.length} characters`);
			assert.ok(Buffer.byteLength(check) <= 65_000, `check: ${Buffer.byteLength(check)} bytes`);
			assert.ok(Buffer.byteLength(summary) <= 1_000_000, `summary: ${Buffer.byteLength(summary)} bytes`);
			for (const text of [comment, check, summary]) assert.match(text, /\n<sub>benchgate · .*<\/sub>\n$/);
		});
	}
});

test('text too long for a comment is complete in the job summary', () => {
	const { conclusion, context } = commentCase('two-hundred');
	assert.match(renderComment(conclusion, context), /_Left out to fit: /);
	const summary = renderSummary(conclusion, context);
	assert.doesNotMatch(summary, /Left out/);
	for (const { server, scenario } of resultCase('two-hundred').cells) {
		assert.ok(summary.includes(`\`${server}/${scenario}\``), `${server}/${scenario} is missing`);
	}
});

test('detail gives way to warnings, so that both still fit', () => {
	const { conclusion, context } = commentCase('two-hundred');
	const warnings = Array.from({ length: 9 }, (_, index) => ({
		code: `warning-${index}`,
		message: Array.from({ length: 50 }, () => '$'.repeat(500)).join('\n'),
	}));
	const comment = renderComment(conclusion, { ...context, warnings });
	assert.ok(comment.length <= 65_000);
	assert.match(comment, /`warning-3`/);
	assert.match(comment, /and 5 more warnings/);
});

test('only the job summary describes the run', () => {
	const { conclusion } = commentCase('unchanged');
	const context = { ...CONTEXT, title: 'push to main' };
	assert.match(renderSummary(conclusion, context), /push to main/);
	assert.doesNotMatch(renderComment(conclusion, context), /push to main/);
});

test('the way to accept is shown if there is a red row and a place to accept it', () => {
	const label = /`benchgate: accepted`/;
	assert.match(commentOf('one-regressed'), label);
	const others = ['unchanged', 'improved', 'inconclusive', 'accepted-by-label', 'advisory-fail', 'head-does-not-build'];
	for (const name of others) assert.doesNotMatch(commentOf(name), label, name);
});

test('the words name the policy of the context', () => {
	const { conclusion, context } = commentCase('inconclusive');
	assert.match(
		renderComment(conclusion, { ...context, onInconclusive: 'fail' }),
		/\*\*Check:\*\* red, because of `on-inconclusive: fail`\./,
	);
	const { onInconclusive: _, ...without } = context;
	assert.match(renderComment(conclusion, without), /\*\*Check:\*\* green, only because of `on-inconclusive: pass`\./);
});

test('a base that does not build is neutral, whatever gate and policy', () => {
	const { conclusion, context } = commentCase('base-does-not-build');
	for (const onInconclusive of INCONCLUSIVE_POLICIES) {
		for (const gate of GATE_MODES) {
			assert.match(
				renderComment(conclusion, { ...context, onInconclusive, gate }),
				/### 🟡[\s\S]*\*\*Check:\*\* neutral \(does not block merging\), because head is not to blame\./,
			);
		}
	}
});

test('a command to repeat a failure can be copied unchanged', () => {
	const command = 'cd ../benchgate-head && git show 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432 && echo `a` "@user #1 $x"';
	const { conclusion, context } = commentCase('head-does-not-build');
	assert.ok(conclusion.kind === 'failed');
	const comment = (remedy: string): string =>
		renderComment({ kind: 'failed', failure: { ...conclusion.failure, remedy } }, context);
	assert.ok(comment(`repeat it by hand: ${command}`).includes(`\n\`\`\`sh\n${command}\n\`\`\`\n`));
	const logged = comment(`repeat it by hand: ${command}; the whole log: /tmp/log.txt`);
	assert.ok(logged.includes(`\n${command}\n`) && logged.includes('The whole log: `/tmp/log.txt`.'));
	const tooLong = comment(`repeat it by hand: echo ${'x'.repeat(2000)}`);
	assert.doesNotMatch(tooLong, /xxxx|```sh/);
	assert.match(tooLong, /\*\*Next:\*\* Fix head and push again\./);
});

test('an address that is not a plain web page becomes no link', () => {
	const { conclusion } = commentCase('cancelled');
	const addresses = [
		'javascript:alert(1)',
		'https://e.example/a b',
		'https://e.example/)](x',
		'https://e.example/?q',
		'',
	];
	for (const runUrl of addresses) {
		assert.match(renderComment(conclusion, { ...CONTEXT, runUrl }), / · workflow run<\/sub>/, runUrl);
	}
});

test('a report too long to keep is left out of the comment while measuring', () => {
	const text = renderMeasuring({ ...MEASURING, previous: 'x'.repeat(65_000) });
	assert.equal(text, renderMeasuring(MEASURING));
});

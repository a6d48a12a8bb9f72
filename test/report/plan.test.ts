/** What is said of a plan of shards, by where it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPlanReport } from '../../src/report/shard-plan-report.ts';
import { assertGolden } from '../support/golden.ts';
import { shardPlanOf } from '../support/shards.ts';

const IDS = ['express', 'koa', 'hono'].flatMap((server) => [`${server}/ping`, `${server}/json`]);
const PLAN = shardPlanOf(IDS, 3);
const STYLE = { width: 100 };
const unwrap = (text: string) => text.replaceAll('\n', ' ');

test('what the shards of a plan take, what one more or fewer would cost, and what to do next', () => {
	assertGolden('report/plan.txt', `${renderPlanReport(PLAN, { file: 'plan.json' }, STYLE)}\n`);
	const [shards, prices] = renderPlanReport(PLAN, 'nowhere', STYLE).split('\n\n').slice(1);
	assert.equal(shards?.split('\n').length, 3);
	assert.deepEqual(
		prices?.split('\n').flatMap((line) => /^ +(\d) shards/.exec(line)?.[1] ?? []),
		['2', '3', '4'],
	);
});

test('a plan of a workflow names no command and no file', () => {
	const said = unwrap(renderPlanReport(PLAN, 'workflow', STYLE));
	assert.doesNotMatch(said, /--|Nothing was written|FOLDER/);
	assert.match(said, /With baselines of the main branch the estimate is better\.$/);
});

test('what the budget is probably too short for is said before anything is measured', () => {
	const short = shardPlanOf(IDS, 3, { budget: 60 });
	assertGolden('report/plan-too-long.txt', `${renderPlanReport(short, 'nowhere', STYLE)}\n`);
	const whole = shardPlanOf(['koa/ping'], 1, { budget: 30 });
	const said = unwrap(renderPlanReport(whole, 'nowhere', STYLE));
	assert.match(said, / It probably needs longer than 30 s\. .* stays open: take a larger budget\./);
});

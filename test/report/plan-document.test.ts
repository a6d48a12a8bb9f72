/** The words on a plan of shards, on a terminal and in a workflow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMarkdown } from '../../src/report/document/markdown-writer.ts';
import { toTerminal } from '../../src/report/document/terminal-writer.ts';
import { type PlanPlace, planDocument } from '../../src/report/plan-document.ts';
import type { ShardPlan } from '../../src/types/shards.ts';
import { assertGolden } from '../support/golden.ts';
import { shardPlanOf } from '../support/shards.ts';

const IDS = ['express', 'koa', 'hono'].flatMap((server) => [`${server}/ping`, `${server}/json`]);
const PLAN = shardPlanOf(IDS, 3);
const render = (plan: ShardPlan, place: PlanPlace) =>
	toTerminal(planDocument(plan, place), { colour: false, width: 100 });
const unwrap = (text: string) => text.replaceAll('\n', ' ');

test('the time of the shards, the cost of one more or fewer, and the next step', () => {
	assertGolden('report/plan.txt', `${render(PLAN, { file: 'plan.json' })}\n`);
	const [shards, prices] = render(PLAN, 'nowhere').split('\n\n').slice(1);
	assert.equal(shards?.split('\n').length, 4, 'a head and a line for each shard');
	assert.deepEqual(
		(prices ?? '').split('\n').flatMap((line) => /^(?: +|this plan: )(\d) /.exec(line)?.[1] ?? []),
		['2', '3', '4'],
	);
});

test('a plan of a workflow names no command and no file', () => {
	assertGolden('report/plan.md', toMarkdown(planDocument(PLAN, 'workflow')));
	const words = unwrap(render(PLAN, 'workflow'));
	assert.doesNotMatch(words, /--|Nothing was written|FOLDER/);
	assert.match(words, /With baselines of the main branch the estimate is better\.$/);
});

test('a budget that is probably too short is reported before the measurement', () => {
	const short = shardPlanOf(IDS, 3, { budget: 60 });
	assertGolden('report/plan-too-long.txt', `${render(short, 'nowhere')}\n`);
	const whole = shardPlanOf(['koa/ping'], 1, { budget: 30 });
	const words = unwrap(render(whole, 'nowhere'));
	assert.match(words, / It probably needs longer than 30 s\. .* stays open: take a larger budget\./);
});

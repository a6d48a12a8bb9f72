import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readLocalUses } from '../../../src/action/rules/local-uses.ts';
import { readCalls } from '../../../src/action/rules/measuring-workflow.ts';

const OWN = readFileSync(new URL('../../../.github/workflows/bench.yml', import.meta.url), 'utf8');

test('this repository’s own workflow leaves nothing open for a pull request', () => {
	const calls = readCalls(OWN);
	assert.deepEqual(calls, [
		{
			inputs: { config: '.github/benchgate.yml', store: 'pull-request', comment: 'never', 'check-run': 'false' },
			open: [],
		},
	]);
	assert.deepEqual(readLocalUses(OWN), ['']);
});

/** An expression of GitHub's. */
const of = (inner: string) => `\${{ ${inner} }}`;

const stepWith = (value: string) =>
	`jobs: { a: { steps: [{ uses: benchgate/benchgate@v0, with: { budget: "${value}" } }] } }`;

for (const [value, is] of [
	[of('inputs.budget'), 'empty'],
	[of('inputs.more-time').replaceAll(' ', ''), 'empty'],
	[` ${of('github.event.inputs.budget')} `, 'empty'],
	[of("inputs.budget || '9m'"), 'open'],
	[`${of('inputs.minutes')}m`, 'open'],
	[of('github.event.issue.title'), 'open'],
	[of('vars.budget'), 'open'],
	['9m', 'plain'],
] as const) {
	test(`budget: ${value} is ${is} in a pull request`, () => {
		const [call] = readCalls(stepWith(value));
		const expected = { inputs: is === 'plain' ? { budget: value } : {}, open: is === 'open' ? ['budget'] : [] };
		assert.deepEqual(call, expected);
	});
}

test('what a workflow uses of its own repository is found in jobs and steps, however it is written', () => {
	const steps = ['./a/b/', '.\\a\\c', '$/d', './', './a/../e', './../f', 'actions/checkout@v7', 'docker://x', './g@v1'];
	const workflow = {
		jobs: { one: { uses: './.github/workflows/x.yml' }, two: { steps: steps.map((uses) => ({ uses })) } },
	};
	assert.deepEqual(readLocalUses(JSON.stringify(workflow)), [
		'.github/workflows/x.yml',
		...['a/b', 'a/c', 'd', '', 'e', 'g@v1'],
	]);
	for (const text of ['', 'x', 'jobs: [', 'jobs: { a: 1, b: { steps: 2 } }']) assert.deepEqual(readLocalUses(text), []);
});

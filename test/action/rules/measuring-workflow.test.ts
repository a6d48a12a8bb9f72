import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readCalls } from '../../../src/action/rules/measuring-workflow.ts';
import { findExecuted } from '../../../src/init/workflows/executed-files.ts';

const OWN = readFileSync(new URL('../../../.github/workflows/bench.yml', import.meta.url), 'utf8');
const ACTION = readFileSync(new URL('../../../action.yml', import.meta.url), 'utf8');

test('in this repository’s own workflow a pull request can set nothing', async () => {
	const calls = readCalls(OWN, { isOwn: true });
	assert.deepEqual(calls, [
		{
			inputs: { config: '.github/benchgate.yml', store: 'pull-request', comment: 'never', 'check-run': 'false' },
			open: [],
		},
	]);
	assert.deepEqual(readCalls(OWN, { isOwn: false }), [], 'in any other repository ./ is its own action');
	const read = async (path: string) => (path === 'action.yml' ? ACTION : null);
	assert.deepEqual(await findExecuted(OWN, { read, isLinked: async () => false, isOwn: true }), {
		places: ['action.yml', 'action.yaml', 'dist'],
		folders: [],
		packages: false,
		unread: [],
		named: false,
	});
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
		const [call] = readCalls(stepWith(value), { isOwn: false });
		const expected = { inputs: is === 'plain' ? { budget: value } : {}, open: is === 'open' ? ['budget'] : [] };
		assert.deepEqual(call, expected);
	});
}

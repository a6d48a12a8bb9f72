import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillRuns, mergeRuns } from '../../scripts/runs-table.ts';
import { packagesOfRows, rowsRunning } from '../../src/config/scenario-runs.ts';

const RUNS = {
	express: [
		{ packages: ['express', 'send'], scenarios: ['ping', 'stack'] },
		{ packages: ['cors'], scenarios: ['stack'] },
	],
	koa: [{ packages: ['koa'], scenarios: ['ping'] }],
};

test('the rows that run a package are listed by server', () => {
	assert.deepEqual(rowsRunning('cors', RUNS), [{ server: 'express', scenario: 'stack' }]);
	assert.deepEqual(rowsRunning('left-pad', RUNS), []);
	assert.deepEqual(packagesOfRows(RUNS), ['cors', 'express', 'koa', 'send']);
});

test('a measurement replaces its servers, and packages with equal scenarios stand together', () => {
	const rows = new Map([
		['ping', ['koa', 'accepts']],
		['stack', ['koa', 'accepts', 'vary']],
	]);
	assert.deepEqual(mergeRuns(RUNS, new Map([['koa', rows]])), {
		express: RUNS.express,
		koa: [
			{ packages: ['accepts', 'koa'], scenarios: ['ping', 'stack'] },
			{ packages: ['vary'], scenarios: ['stack'] },
		],
	});
});

test('the table names the scenarios of a package on any server', () => {
	const page = fillRuns(
		'a\n<!-- runs -->\nold\n<!-- /runs -->\nb',
		RUNS,
		['cors', 'express', 'none'],
		['ping', 'stack'],
	);
	assert.equal(
		page,
		`a
<!-- runs -->

| Package   | Scenarios that run it |
| --------- | --------------------- |
| \`cors\`    | \`stack\`               |
| \`express\` | all                   |
| \`none\`    | none                  |

<!-- /runs -->
b`,
	);
});

test('the table names a group if all of its scenarios run a package, and the start of one that only starts', () => {
	const runs = {
		koa: [
			{ packages: ['koa'], scenarios: ['ping', 'one', 'two'] },
			{ packages: ['send'], scenarios: ['one', 'two'] },
			{ packages: ['loader'], scenarios: ['startup'] },
		],
	};
	const page = fillRuns(
		'<!-- runs --><!-- /runs -->',
		runs,
		['koa', 'loader', 'send'],
		['ping', 'one', 'two', 'other'],
		{
			browser: ['one', 'two'],
		},
	);
	const rows = page.split('\n').slice(4, -2);
	assert.deepEqual(
		rows.map((line) => line.split(/ *\| */).slice(1, -1)),
		[
			['`koa`', 'all but `other`'],
			['`loader`', '`startup`'],
			['`send`', 'those of `browser`'],
		],
	);
});

test('a page without the marker of the table is refused', () => {
	assert.throws(() => fillRuns('', RUNS, [], []), /no <!-- runs -->/);
});

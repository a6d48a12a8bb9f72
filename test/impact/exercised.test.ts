import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packageOf, packagesRun, runsSubject, warnNotExercised } from '../../src/impact/exercised.ts';
import type { CellCoverage, Unseen } from '../../src/types/coverage.ts';

const SUBJECT = { name: 'compression', folder: '.', inCheckout: ['app'] };

/** Coverage in which a function of each path was called so often before and during the load. */
function coverageOf(
	paths: Readonly<Record<string, readonly [number, number]>>,
	unseen: readonly Unseen[] = [],
	requests = 100,
): CellCoverage {
	const scripts = Object.entries(paths).map(([path, [before, during]]) => ({
		...{ path, hash: '' },
		functions: [[0, 10, 'run', before, during] as const],
	}));
	return { requests, scripts, reads: [], texts: [], unseen };
}

const cellOf = (server: string, coverage: CellCoverage) => ({
	cell: { id: `${server}/ping`, server, scenario: 'ping' },
	coverage,
});

test('a file belongs to the innermost package, with its scope', () => {
	assert.equal(packageOf('express/node_modules/express/lib/response.js'), 'express');
	assert.equal(packageOf('node_modules/a/node_modules/@b/c/index.js'), '@b/c');
	assert.equal(packageOf('shared/fixtures.mjs'), null);
});

test('a package that ran only at start is not run under load, except in a cell without load', () => {
	const paths = { 'node_modules/vary/index.js': [1, 0], 'node_modules/cors/index.js': [1, 5] } as const;
	assert.deepEqual(packagesRun(coverageOf(paths)), ['cors']);
	assert.deepEqual(packagesRun(coverageOf({ 'node_modules/vary/index.js': [1, 0] }, [], 0)), ['vary']);
});

test('code outside node_modules is the subject only in a server of a checkout, below its folder', () => {
	const coverage = coverageOf({ 'packages/core/index.js': [1, 5] });
	assert.equal(runsSubject(cellOf('express', coverage), SUBJECT), false);
	assert.equal(runsSubject(cellOf('app', coverage), SUBJECT), true);
	assert.equal(runsSubject(cellOf('app', coverage), { ...SUBJECT, folder: 'packages/core' }), true);
	assert.equal(runsSubject(cellOf('app', coverage), { ...SUBJECT, folder: 'packages/other' }), false);
});

test('warns only if no cell may run the subject', () => {
	const idle = cellOf('express', coverageOf({ 'node_modules/express/index.js': [1, 5] }));
	const running = cellOf('express', coverageOf({ 'node_modules/compression/index.js': [1, 5] }));
	const unknown = cellOf('express', coverageOf({}, [{ kind: 'process', detail: 'sh (process 7)' }]));
	const native = cellOf('express', coverageOf({}, [{ kind: 'native', detail: 'a.node' }]));
	assert.equal(warnNotExercised([], SUBJECT, []), null);
	assert.equal(warnNotExercised([idle, running], SUBJECT, []), null);
	assert.equal(warnNotExercised([idle, unknown], SUBJECT, []), null);
	assert.deepEqual(warnNotExercised([idle, native], SUBJECT, ['express/production-stack']), {
		code: 'subject-not-exercised',
		message:
			'No row runs any function of compression under load, so a slowdown in compression cannot be found. Built-in rows that run it: express/production-stack.',
	});
	assert.match(warnNotExercised([idle], SUBJECT, [])?.message ?? '', /No built-in scenario runs it: write a scenario/);
});

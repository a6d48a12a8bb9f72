import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { INPUT_OPTIONS } from '../../src/config/option-names.ts';
import { OPTIONS } from '../../src/config/options.ts';
import { readFlags } from '../../src/config/read-flags.ts';
import { RED_KINDS } from '../../src/types/verdict.ts';

const { kind } = OPTIONS.accept;

for (const [text, rows] of [
	['all', [{ cell: null, kind: null, upTo: null }]],
	['removed', [{ cell: null, kind: 'removed', upTo: null }]],
	['-6%', [{ cell: null, kind: 'regressed', upTo: 0.06 }]],
	['all=-6%', [{ cell: null, kind: 'regressed', upTo: 0.06 }]],
	['express/ping=all', [{ cell: 'express/ping', kind: null, upTo: null }]],
	['express/ping=answer', [{ cell: 'express/ping', kind: 'answer-changed', upTo: null }]],
	[
		'express/ping=-6.5%, koa/ping=broken',
		[
			{ cell: 'express/ping', kind: 'regressed', upTo: 0.065 },
			{ cell: 'koa/ping', kind: 'broken', upTo: null },
		],
	],
] as const) {
	test(`--accept ${text}`, () => assert.deepEqual(kind.parse(text), rows));
}

for (const text of [
	'',
	'ping',
	'express/ping',
	'express/ping=',
	'express/ping=6',
	'all,',
	'express/ping=-6%=x',
	'0%',
	'x=all',
	'../..=all',
]) {
	test(`--accept ${JSON.stringify(text)} is refused`, () => assert.equal(kind.parse(text), undefined));
}

test('unreadable acceptances are reported with the other flags', () => {
	const problems: string[] = [];
	readFlags({ accept: 'everything' }, (flag, message) => problems.push(`${flag}: ${message}`));
	assert.match(problems.join(), /^accept: not allowed; all, or items separated by commas: ROW=WHAT/);
});

test('any written rows are read back', () => {
	const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
	const row = fc.oneof(
		fc.constantFrom(null, ...RED_KINDS).map((one) => ({ kind: one, upTo: null })),
		fc
			.integer({ min: 1, max: 9_999_999 })
			.map((millionths) => ({ kind: 'regressed' as const, upTo: millionths / 1e6 })),
	);
	const cell = fc.option(fc.tuple(name, name).map(([server, scenario]) => `${server}/${scenario}`));
	const rows = fc.array(
		fc.tuple(cell, row).map(([one, each]) => ({ cell: one, ...each })),
		{ minLength: 1, maxLength: 4 },
	);
	fc.assert(
		fc.property(rows, (some) => assert.deepEqual(kind.parse(kind.write(some)), some)),
		{ seed: 1, numRuns: 500 },
	);
});

test('a workflow file cannot accept: acceptance is no input of the action', () => {
	assert.ok(!INPUT_OPTIONS.map(([name]) => name as string).includes('accept'));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptRedRows } from '../../../src/judge/acceptance.ts';
import { annotateRows, buildCheck, type CheckOutput, type Places } from '../../../src/report/github/check.ts';
import type { GateMode } from '../../../src/types/action-run.ts';
import { COMMENT_CASES, CONTEXT, type CommentCase, commentCase } from '../../support/comment-cases.ts';
import { HOSTILE, resultCase } from '../../support/result-cases.ts';

const IN_CONFIG: Places = {
	lineOf: (scenario) => (scenario === 'ping' ? { path: 'bench/benchgate.yml', line: 12 } : null),
	configPath: 'bench/benchgate.yml',
};
const NOWHERE: Places = { lineOf: () => null };

function checkOf({ conclusion, context }: CommentCase, places = IN_CONFIG, gate: GateMode = context.gate): CheckOutput {
	return buildCheck(conclusion, { ...context, gate, ...places });
}

test('titles are one short line of plain text, summaries fit', () => {
	for (const [name, make] of Object.entries(COMMENT_CASES)) {
		const { title, summary } = checkOf(make());
		assert.ok(title.length > 0 && [...title].length <= 120, `${name}: ${title}`);
		assert.doesNotMatch(title, /\p{Cc}|\p{Bidi_Control}/u, name);
		assert.ok(Buffer.byteLength(summary) <= 65_535, name);
	}
});

test('regressed rows are errors, on the line of their scenario or the first of the config', () => {
	const messages = resultCase('several').gate.reasons.map((reason) => `${reason.slice(0, -1)}; 13 rounds.`);
	const [post, ping] = messages.toSorted();
	assert.deepEqual(checkOf(commentCase('several')).annotations, [
		{
			path: 'bench/benchgate.yml',
			line: 12,
			level: 'failure',
			title: 'express/ping regressed',
			message: ping,
		},
		{
			path: 'bench/benchgate.yml',
			line: 1,
			level: 'failure',
			title: 'express/json-post regressed',
			message: post,
		},
	]);
});

test('rows that head broke are failures that quote the first wrong answer, those of base are warnings', () => {
	const { annotations } = checkOf(commentCase('invalid'));
	assert.deepEqual(
		annotations.map(({ level, title }) => [level, title]),
		[
			['failure', 'express/json-post is broken on head only'],
			['failure', 'express/json-nested is broken on head only'],
		],
	);
	const titlesOf = (name: string, gate: 'enforce' | 'advisory' = 'enforce') =>
		annotateRows(resultCase(name), gate, { lineOf: () => null, configPath: 'benchgate.yml' }).map(
			({ level, title }) => `${level}: ${title}`,
		);
	assert.deepEqual(titlesOf('base-broken'), [
		'warning: express/json-post is broken on base only',
		'warning: express/json-nested is broken on base only',
	]);
	assert.deepEqual(titlesOf('both-broken'), ['warning: express/json-post is broken on both sides']);
	assert.deepEqual(titlesOf('needs-rebase'), ['warning: express/json-post is newer than base']);
	assert.deepEqual(titlesOf('answers-differ'), ['failure: express/list-users has different answers']);
	assert.deepEqual(titlesOf('new-and-removed'), ['failure: hapi/ping is missing in head']);
	assert.deepEqual(titlesOf('invalid', 'advisory').slice(0, 1), ['warning: express/json-post is broken on head only']);
	assert.match(
		annotations[0]?.message ?? '',
		/^express\/json-post answers wrongly, on head only: head gave a wrong answer to POST \/json: body at/,
	);
});

test('a regression that does not turn the check red is a warning', () => {
	const levels = (check: CheckOutput): readonly string[] => check.annotations.map(({ level }) => level);
	const result = acceptRedRows(resultCase('one-regressed'), [{ by: 'octocat', via: 'label', reason: null }]);
	assert.deepEqual(levels(checkOf(commentCase('one-regressed'), IN_CONFIG, 'advisory')), ['warning']);
	assert.deepEqual(levels(checkOf({ conclusion: { kind: 'compared', result }, context: CONTEXT })), ['warning']);
});

test('of red rows only those without acceptance are failures', () => {
	const rows = [{ cell: 'express/ping', kind: 'regressed', upTo: null }] as const;
	const result = acceptRedRows(resultCase('several'), [{ by: 'octocat', via: 'body', reason: 'worth it', rows }]);
	const { annotations } = checkOf({ conclusion: { kind: 'compared', result }, context: CONTEXT });
	assert.deepEqual(
		annotations.map(({ level, title }) => `${level}: ${title}`),
		['warning: express/ping regressed', 'failure: express/json-post regressed'],
	);
	const removed = acceptRedRows(resultCase('gone-in-head'), [{ by: 'octocat', via: 'label', reason: null }]);
	const checked = checkOf({ conclusion: { kind: 'compared', result: removed }, context: CONTEXT });
	assert.deepEqual([...new Set(checked.annotations.map(({ level }) => level))], ['warning']);
});

test('a fault that invalidates a cell in two metrics is annotated once', () => {
	const result = resultCase('invalid');
	const cells = result.cells.flatMap((cell) => [cell, { ...cell, metric: 'cpu-per-request' } as const]);
	const places: Places = { lineOf: () => null, configPath: 'benchgate.yml' };
	const of = (all: typeof cells) => annotateRows({ ...result, cells: all }, 'advisory', places).length;
	assert.equal(
		of(cells.filter(({ verdict }) => verdict === 'invalid')),
		of(result.cells.filter(({ verdict }) => verdict === 'invalid')),
	);
});

test('without a config there are no annotations', () => {
	for (const name of ['several', 'invalid', 'bad-config']) {
		assert.deepEqual(checkOf(commentCase(name), NOWHERE).annotations, []);
	}
});

test('problems of the config are on their lines, those of other files have no line', () => {
	const places = { ...NOWHERE, configPath: 'benchgate.yml' };
	assert.deepEqual(checkOf(commentCase('bad-config'), places).annotations, [
		{
			path: 'benchgate.yml',
			line: 3,
			level: 'failure',
			title: 'benchgate config',
			message: 'servers[0]: unknown server "exprss"; did you mean "express"?',
		},
		{
			path: 'benchgate.yml',
			line: 7,
			level: 'failure',
			title: 'benchgate config',
			message: 'scenarios[1].threshold: "8" is not allowed; write a percentage such as 8%',
		},
	]);
	assert.deepEqual(checkOf(commentCase('bad-config'), { ...NOWHERE, configPath: 'other.yml' }).annotations, []);
});

test('two hundred regressed rows make a hundred annotations, the worst', () => {
	const result = resultCase('two-hundred');
	const cells = result.cells.map((cell) => ({ ...cell, verdict: 'regressed' as const }));
	const { annotations } = checkOf({ conclusion: { kind: 'compared', result: { ...result, cells } }, context: CONTEXT });
	assert.equal(annotations.length, 100);
	assert.match(annotations[0]?.message ?? '', /−12\.0 %/);
});

test('hostile names stay plain text of bounded length', () => {
	for (const { title, message } of checkOf(commentCase('hostile')).annotations) {
		assert.ok(title.length <= 130 && message.length <= 1000);
		assert.doesNotMatch(title + message, /\p{Cc}|\p{Bidi_Control}/u);
	}
	const config = { ...NOWHERE, configPath: HOSTILE.markdown };
	assert.deepEqual(checkOf(commentCase('hostile-failure'), config).annotations, []);
});

/** One run over servers that are broken on head in every way we know, and what it says about each. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CellResult, Result } from '../../src/types/result.ts';
import {
	assertExit,
	assertNoProcess,
	behavingServer,
	behavingSides,
	type CliRun,
	configOf,
	makePlayground,
} from '../support/cli.ts';

const BEHAVIOURS = {
	good: '',
	late: 'listen-late',
	fork: 'fork',
	hang: 'hang-on-sigterm',
	leak: 'leak-children',
	exit: 'exit-at-start',
	mute: 'never-listen',
	body: 'wrong-body',
	status: 'wrong-status',
	crash: 'crash-under-load',
	restart: 'restart',
	later: 'wrong-later',
	busy: 'error-sometimes',
};

const playground = makePlayground(
	{ after },
	{
		...behavingSides(BEHAVIOURS),
		'benchgate.yml': configOf(
			Object.keys(BEHAVIOURS).map((name) => behavingServer(name, name === 'mute' ? { ready: { timeout: '4s' } } : {})),
		),
	},
);
let run: CliRun;
let result: Result;

before(async () => {
	// One round of each: a budget that is spent after it.
	run = await playground.run(
		'compare --base dir:base --head dir:head --budget 1s --seed 1 --json result.json'.split(' '),
	);
	result = JSON.parse(playground.read('result.json'));
});

function rowOf(server: keyof typeof BEHAVIOURS): CellResult {
	const row = result.cells.find((cell) => cell.server === server);
	assert.ok(row, `no row of ${server}`);
	return row;
}

const INVALID = {
	exit: [
		'exited-at-start',
		/^exit \(head\) ended before it listened: exit code 7; it printed: cannot find module "left-pad"$/,
	],
	mute: [
		'never-listened',
		/^mute \(head\) did not listen on HOST:PORT \(http:\/\/127\.0\.0\.1:\d+\) within 4 s; it printed: thinking$/,
	],
	body: ['wrong-body', /^head: GET \/: body at \$\.ok is false instead of true$/],
	status: ['wrong-status', /^head: GET \/: status 500 instead of 200, with body "\{\\"ok\\":true\}"$/],
	crash: ['crashed', /^head: the server crashed under load: /],
	restart: ['restarted', /^head: a process of the server ended and was replaced under load \(\d+ connection errors\)$/],
	later: [
		'wrong-body',
		/^head: \d+\.\d\d % of the sampled bodies under load were wrong; first: body at \$\.ok is "no" instead of true$/,
	],
	busy: [
		'unexpected-answers',
		/^head: \d\.\d\d % of the answers under load were unexpected; first: status 503 instead of 200, with body "\{\\"error\\":\\"busy\\"\}"$/,
	],
} as const;

for (const [server, [code, message]] of Object.entries(INVALID)) {
	test(`a head that is ${BEHAVIOURS[server as keyof typeof INVALID]} gives an invalid row that names side and first fault`, () => {
		const row = rowOf(server as keyof typeof INVALID);
		assert.equal(row.verdict, 'invalid');
		const [first] = row.warnings;
		assert.equal(first?.code, code);
		assert.match(first?.message ?? '', message);
	});
}

for (const server of ['good', 'late', 'fork', 'hang', 'leak'] as const) {
	test(`a head that is ${BEHAVIOURS[server] || 'good'} is measured like any other`, () => {
		const row = rowOf(server);
		assert.equal(row.verdict, 'inconclusive');
		assert.equal(row.rounds, 1);
		assert.equal(row.guards?.nonExpected, 0);
	});
}

test('a server that ignores SIGTERM and one that leaves processes behind are named, and no other', () => {
	const untidy = result.warnings.filter(({ code }) => code === 'hung-on-sigterm' || code === 'leaked-children');
	assert.deepEqual(untidy.map(({ message }) => message).sort(), [
		'hang (head) did not exit within 2 s of SIGTERM and was killed; this costs time in every round',
		'leak (head) left processes of its own behind; they were killed',
	]);
});

test('a run of one round is inconclusive and says the smallest budget that could decide', () => {
	assertExit(run, 0);
	assert.equal(result.gate.outcome, 'inconclusive');
	assert.equal(result.ended, 'budget');
	const warning = rowOf('good').warnings.find(({ code }) => code === 'budget-too-small');
	assert.match(
		warning?.message ?? '',
		/^1 round is too few to decide \(4 are needed\): a round took \d+\.\d s, so the smallest budget that can decide is \d+ s\.$/,
	);
});

test('the report shows every fault, and progress says which rows are not loaded at all', () => {
	assert.match(run.stdout, /^INCONCLUSIVE {2}8 of 13 cells are invalid, 5 inconclusive/);
	const text = run.stdout.replace(/\s+/g, ' ');
	for (const word of ['left-pad', 'thinking', '$.ok is false', 'status 500', 'crashed under load', '503']) {
		assert.ok(text.includes(word), word);
	}
	assert.match(run.stderr, /^ {2}invalid: body\/ok: head: GET \/: body at \$\.ok is false instead of true$/m);
});

test('nothing is left running, in no group and under no marker', () => assertNoProcess(playground));

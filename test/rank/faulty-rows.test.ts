/** Faults of a server in a ranking: its row has no figures, and a reason that names servers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import { samplesOf } from '../../src/rank/turn-sample.ts';
import { scriptData, scriptServer } from '../support/ranking-cases.ts';
import { scriptRound, type Turn } from '../support/rounds.ts';

/** The row of koa after one round beside node-http, or that of another server. */
function rowAfter(turn: Turn, name = 'koa') {
	const { cells, ...round } = scriptRound(1, { ping: turn });
	const renamed = cells.map((cell) => ({ ...cell, cell: cell.cell.replace('app/', 'koa/') }));
	const samples = samplesOf({ ...round, cells: renamed }, () => 'node-http');
	const { rows } = summariseRanking(scriptData([scriptServer('node-http'), scriptServer('koa')], samples));
	return rows.find(({ server }) => server === name) ?? assert.fail(`${name} has a row`);
}

const faultOf = (code: string, side: 'base' | 'head', message: string): Turn => ({
	d: 0,
	faults: [{ code, side, message }],
});

for (const [label, turn, reason] of [
	[
		'a rate that it cannot hold',
		{ d: 0, rate: { due: 5_000, held: [1, 0.5] } },
		/^koa answered 2,50\d of the 5,000 requests\/s it was sent, .*Lower load\.rate/,
	],
	[
		'a rate at the limit of both',
		{ d: 0, rate: { due: 5_000, held: [0.99, 0.97] } },
		/^Of 5,000 requests\/s node-http answered 99 % and koa 97 %\. The rate is at the limit of both/,
	],
	[
		'a limiter that lets too much through',
		faultOf(
			'status-limit',
			'head',
			'head gave 103 answers with status 201 within 3.2 s; a limit of 51 in 10 s lets at most 102 through',
		),
		/^koa gave 103 answers with status 201 within 3\.2 s; a limit of 51 in 10 s lets at most 102 through$/,
	],
	[
		'a limit of memory that it reached',
		faultOf(
			'crashed',
			'head',
			'the head server crashed under load: SIGKILL; it used 300 MB of memory, more than the limit of 250 MB, and was killed',
		),
		/^koa crashed under load: SIGKILL; it used 300 MB of memory, more than the limit of 250 MB, and was killed$/,
	],
	[
		'a reference that breaks beside it',
		faultOf('crashed', 'base', 'the base server crashed under load: SIGSEGV'),
		/^node-http, the reference, crashed under load: SIGSEGV$/,
	],
] as const satisfies readonly (readonly [string, Turn, RegExp])[]) {
	test(`${label} breaks the row of a server`, () => {
		const { state, reason: told, rank, alone, share } = rowAfter(turn);
		assert.equal(state, 'broken');
		assert.match(told ?? '', reason);
		assert.deepEqual([rank, alone, share], [null, null, null]);
	});
}

test('a reference that breaks in every round is broken itself, with its last output', () => {
	const message = 'the base server exited with code 1 before it was ready: Error: no more ports';
	const { state, reason, rank } = rowAfter({ ...faultOf('not-ready', 'base', message), answers: 0 }, 'node-http');
	assert.deepEqual(
		[state, reason, rank],
		['broken', 'node-http exited with code 1 before it was ready: Error: no more ports', null],
	);
});

test('a reference that gave a wrong answer is shown with it', () => {
	const message = 'base gave a wrong answer to GET /ping: 500';
	const { state, reason } = rowAfter({ ...faultOf('wrong-status', 'base', message), answers: 0 }, 'node-http');
	assert.deepEqual([state, reason], ['broken', 'node-http gave a wrong answer to GET /ping: 500']);
});

test('a reference with which every server broke is named as the cause, rather than the end of the run', () => {
	const windows = {
		d: 0,
		answers: 0,
		faults: [{ code: 'crashed', side: 'head' as const, message: 'the head server crashed' }],
	};
	const { state, reason } = rowAfter(windows, 'node-http');
	assert.deepEqual([state, reason], ['not-reached', 'every server that was measured with it broke']);
});

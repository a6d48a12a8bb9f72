import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellStates, openCells } from '../../src/rank/cell-state.ts';
import { nameRateFlags } from '../../src/rank/missed-rates.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import { samplesOf } from '../../src/rank/turn-sample.ts';
import type { RankingSample } from '../../src/types/ranking/ranking.ts';
import { scriptData, scriptServer } from '../support/ranking-cases.ts';
import { scriptRound, type Turn } from '../support/rounds.ts';

const RULE = { precision: 0.04, fewest: 3, most: 100 };
const HELD = 1;
const MISSED = 0.5;

/** Rounds of koa, which answers these shares of the rate, beside node-http, which answers all of it. */
function samplesFor(held: readonly number[], more: Partial<Turn> = {}): RankingSample[] {
	return held.flatMap((share, at) => {
		const turn: Turn = { d: 0, solo: [1000, 1000], rate: { due: 1000, held: [HELD, share] }, ...more };
		const { cells, ...round } = scriptRound(at + 1, { ping: turn });
		const renamed = cells.map((cell) => ({ ...cell, cell: cell.cell.replace('app/', 'koa/') }));
		return samplesOf({ ...round, cells: renamed }, () => 'node-http');
	});
}

function rowOf(samples: readonly RankingSample[]) {
	const { rows } = summariseRanking(scriptData([scriptServer('node-http'), scriptServer('koa')], samples));
	return rows.find(({ server }) => server === 'koa') ?? assert.fail('koa has a row');
}

test('one round of three that misses the rate breaks no row, and the report mentions it', () => {
	const row = rowOf(samplesFor([HELD, MISSED, HELD]));
	assert.deepEqual([row.state, row.rounds, row.throughputs.length], ['measured', 3, 3]);
	assert.ok(row.share);
	assert.deepEqual(
		row.warnings.filter(({ code }) => code.startsWith('rate')).map(({ message }) => message),
		[
			'The rate was not held in 1 of 3 rounds. That is taken for chance, because a server that cannot hold it misses it in most.',
		],
	);
});

test('rounds that hold the rate are not mentioned', () => {
	assert.deepEqual(
		rowOf(samplesFor([HELD, HELD])).warnings.filter(({ code }) => code.startsWith('rate')),
		[],
	);
});

test('a rate missed in half of the rounds or more breaks the row', () => {
	for (const held of [[MISSED], [HELD, MISSED], [MISSED, HELD, MISSED]]) {
		const row = rowOf(samplesFor(held));
		assert.deepEqual([row.state, row.share, row.alone], ['broken', null, null]);
		assert.match(row.reason ?? '', /^koa answered 50\d of the 1,000 requests\/s it was sent/);
	}
});

test('any other fault breaks a row in whichever round it occurs', () => {
	const crash = { code: 'crashed', side: 'head' as const, message: 'the head server crashed under load: SIGSEGV' };
	const [crashed] = samplesFor([HELD], { faults: [crash] });
	assert.ok(crashed);
	const row = rowOf([...samplesFor([HELD, HELD, HELD, MISSED]), { ...crashed, round: 5 }]);
	assert.deepEqual([row.state, row.reason], ['broken', 'koa crashed under load: SIGSEGV']);
});

test('a row that missed the rate gets the fewest rounds, and then no more', () => {
	const open = (held: readonly number[]) =>
		openCells(['koa/ping'], cellStates(samplesFor(held), { scenarios: [] }), RULE).length > 0;
	assert.deepEqual([open([MISSED]), open([MISSED, MISSED]), open([MISSED, MISSED, HELD])], [true, true, false]);
	const single = cellStates(samplesFor([MISSED]), { scenarios: [] });
	assert.deepEqual(openCells(['koa/ping'], single, { ...RULE, fewest: 1 }), []);
});

test('a rate given by a flag names the flag, in faults of rates alone', () => {
	const crash = { code: 'crashed', side: 'head' as const, message: 'cannot read load.rate' };
	const messages = (samples: readonly RankingSample[]) =>
		nameRateFlags(samples).flatMap(({ faults }) => faults.map(({ message }) => message));
	const [missed = ''] = messages(samplesFor([MISSED]));
	assert.match(missed, /Lower --rate; raise --connections if it answers slowly by design\.$/);
	assert.match(messages(samplesFor([0.97], { rate: { due: 1000, held: [0.99, 0.97] } }))[0] ?? '', /Lower --rate\.$/);
	assert.deepEqual(messages(samplesFor([HELD], { faults: [crash] })), ['cannot read load.rate']);
});

/**
 * Servers that broke a limit under load: invalid, with the counts of the break, and the fault of the side that broke
 * it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blameOf } from '../../src/judge/gate-row.ts';
import { findBrokenLimit } from '../../src/measure/answers/check-loaded-answers.ts';
import type { Fault } from '../../src/types/round.ts';
import type { Side } from '../../src/types/units.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { spread, type Turn } from '../support/rounds.ts';

/** Six rounds of an even duet, with a fault in the third. */
function decideWith(...faults: readonly Fault[]) {
	const turns = spread(6, 0, 0.01).map((d, round): Turn => (round === 2 ? { d, faults } : { d }));
	const { row, decision } = decideTurns(turns, { ended: 'rounds' });
	return { row, gate: decision.gate };
}

const killed = (side: Side): Fault => ({
	code: 'crashed',
	side,
	message: `the ${side} server crashed under load: SIGKILL; it used 530 MB of memory, more than the limit of 512 MB, and was killed`,
});

test('a rate limiter that lets too much through is invalid, with the number of requests', () => {
	const limit = { status: 201, max: 50, seconds: 10 };
	// Two adjacent windows may let twice the limit through; this is three times the limit.
	const times = Array.from({ length: 150 }, (_, index) => index * 0.05);
	const broken = findBrokenLimit(limit, times) ?? assert.fail('the limit holds');
	const { row, gate } = decideWith({ code: 'status-limit', side: 'head', message: `head gave ${broken}` });
	assert.deepEqual([row.verdict, codesOf(row), blameOf(row)], ['invalid', ['status-limit'], 'head']);
	assert.match(
		row.warnings[0]?.message ?? '',
		/head gave 101 answers with status 201 within 5\.0 s; a limit of 50 in 10 s lets at most 100 through/,
	);
	assert.notEqual(gate.outcome, 'pass');
});

test('a server that was killed for its memory is invalid, with the memory it used', () => {
	const { row, gate } = decideWith(killed('head'));
	assert.deepEqual([row.verdict, blameOf(row)], ['invalid', 'head']);
	assert.match(row.warnings[0]?.message ?? '', /530 MB of memory, more than the limit of 512 MB/);
	assert.notEqual(gate.outcome, 'pass');
	const both = decideWith(killed('base'), killed('head'));
	assert.equal(both.row.verdict, 'invalid');
	assert.deepEqual(
		both.row.warnings.map(({ side }) => side),
		['base', 'head'],
	);
});

/** A bisect's reading of a comparison: d of its rounds, or a commit that cannot be measured. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf, isOfHead } from '../../../src/runs/bisect/measure-commits.ts';
import { assertClose } from '../../support/close.ts';
import { scriptPlan, scriptRounds, type Turn } from '../../support/rounds.ts';

const ROW = { cell: 'app/ping', metric: 'throughput' } as const;
const SLOWER = -0.2;

function measured(turn: Turn): number[] {
	return differencesOf({ plan: scriptPlan(['ping']), rounds: scriptRounds([turn, turn, turn]) }, ROW);
}

for (const [label, turn, expected] of [
	['at a fixed rate', { d: 0, cpu: SLOWER, server: 0.3, rate: { due: 1000 } }, SLOWER],
	['at the limit of the load generator', { d: 0, cpu: SLOWER, generator: 0.99 }, SLOWER],
	['with unequal shares of the CPU, which may be another commit by commit', { d: -0.1, cpu: SLOWER }, -0.1],
	['of servers that wait', { d: SLOWER, cpu: 0, server: 0.5 }, SLOWER],
	['without CPU time', { d: SLOWER, cpu: null }, SLOWER],
] satisfies [string, Turn, number][]) {
	test(`requests per second, or CPU per request if throughput shows nothing: ${label}`, () => {
		const d = measured(turn);
		assert.equal(d.length, 3);
		for (const value of d) assertClose(value, expected, 1e-9);
	});
}

test('a round with a fault does not count', () => {
	const fault = { code: 'crashed', side: 'head', message: 'the head server crashed' } as const;
	assert.deepEqual(measured({ d: 0, faults: [fault] }), []);
});

test("only a commit's own behaviour makes it broken, not the network or the disk", () => {
	const where = 'head (1a2b3c4)';
	for (const code of ['build-failed', 'no-folder', 'subject-unused'])
		assert.equal(isOfHead({ where, code }), true, code);
	for (const code of ['network', 'disk-full', 'npm-failed']) assert.equal(isOfHead({ where, code }), false, code);
	assert.equal(isOfHead({ where: 'base (1a2b3c4)', code: 'build-failed' }), false);
	assert.equal(isOfHead({ where: undefined, code: 'different-subjects' }), true);
});

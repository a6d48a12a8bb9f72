import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referenceFigures } from '../../src/rank/reference-figures.ts';
import type { Fault } from '../../src/types/round.ts';
import { scriptRound, scriptRounds, spread, type Turn } from '../support/rounds.ts';

const inTurn = (turns: readonly (number | Turn)[]) => scriptRounds(turns, { design: 'alternating' });

test('a cell has figures of both and its share of the reference, with an interval over rounds', () => {
	const figures = referenceFigures(inTurn(spread(4, Math.log(0.4), 0.02))).get('app/ping');
	assert.ok(figures?.share);
	const { value, low, high, rounds } = figures.share;
	assert.ok(Math.abs(value - 0.4) < 1e-9 && rounds === 4);
	// t(0.975, 3) × 0.02 / √4.
	assert.ok(Math.abs(Math.log(high / value) - 3.1824 * 0.01) < 1e-4, `${low} ${high}`);
	assert.ok(Math.abs((figures.solo.throughput ?? 0) / (figures.reference.throughput ?? 1) - 0.4) < 0.02);
});

test('one round gives figures and no share', () => {
	const figures = referenceFigures(inTurn([Math.log(0.4)])).get('app/ping');
	assert.ok(figures?.solo.throughput && figures.reference.throughput);
	assert.equal(figures.share, null);
});

test('a generator at its limit hides the difference, so there is no share', () => {
	const rounds = inTurn(spread(4, 0, 0.02).map((d) => ({ d, generator: 0.99, generatorCpu: 0.99 })));
	assert.equal(referenceFigures(rounds).get('app/ping')?.share, null);
});

test('a cell that broke in any round has no figures, and hides no other cell', () => {
	const fault: Fault = { code: 'crashed', side: 'head', message: 'the head server crashed' };
	const rounds = [1, 2, 3].map((round) =>
		scriptRound(
			round,
			{ ping: { d: 0, faults: round === 2 ? [fault] : [] }, html: { d: round / 100 } },
			{ design: 'alternating' },
		),
	);
	assert.deepEqual([...referenceFigures(rounds).keys()], ['app/html']);
});

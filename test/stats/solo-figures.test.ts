import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soloFiguresOf } from '../../src/stats/absolute.ts';
import { scriptRound, scriptRounds } from '../support/rounds.ts';

const turnsOf = (solos: readonly (readonly [number, number])[]) =>
	scriptRounds(solos.map((solo) => ({ d: 0, solo, memory: [50e6, 60e6] }))).flatMap(({ cells }) => cells);

test('solo figures are those of the requested side, the median over rounds', () => {
	const turns = turnsOf([
		[900, 1000],
		[910, 1400],
		[920, 1100],
	]);
	const head = soloFiguresOf(turns, 'head');
	assert.equal(head?.throughput, 1100);
	assert.equal(head?.windows, 3);
	assert.equal(head?.memoryPeak, 60e6);
	assert.equal(head?.latencyP50, 1);
	assert.equal(soloFiguresOf(turns, 'base')?.throughput, 910);
});

test('windows of a duet give no solo figures; alternating ones do', () => {
	assert.equal(
		soloFiguresOf(
			scriptRounds([0, 0]).flatMap(({ cells }) => cells),
			'head',
		),
		null,
	);
	const { cells } = scriptRound(1, { ping: { d: 0 } }, { purpose: 'main', design: 'alternating' });
	assert.equal(soloFiguresOf(cells, 'head')?.throughput, 2000);
});

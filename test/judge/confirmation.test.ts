import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../src/judge/decide.ts';
import { planLooks } from '../../src/plan/looks.ts';
import type { Round } from '../../src/types/round.ts';
import { assertClose } from '../support/close.ts';
import { codesOf, decideTurns } from '../support/decisions.ts';
import { scriptPlan, scriptRounds, spread, type Turn } from '../support/rounds.ts';

/** A duet whose throughput drops by 8 % while CPU per request does not: shares stay within 50 ± 3 points. */
const DOUBTFUL: readonly Turn[] = spread(4, -0.08, 0.003).map((d) => ({ d, cpu: d + 0.08 }));
/** Shares beyond 50 ± 3 points; CPU per request is unchanged, throughput drops. */
const HIDDEN: readonly Turn[] = spread(4, -0.2, 0.003).map((d) => ({ d, cpu: d + 0.2 }));

function confirmRounds(d: readonly number[]): Round[] {
	return scriptRounds(
		d.map((value) => ({ d: value })),
		{ purpose: 'confirm' },
	);
}

test('a red with throughput and CPU per request apart waits for alternating windows', () => {
	const { row, decision } = decideTurns(DOUBTFUL);
	assert.equal(row.needsConfirmation, true);
	assert.equal(row.final, false);
	assert.equal(row.verdict, 'inconclusive');
	assert.deepEqual(decision.confirm, ['app/ping']);
	assert.deepEqual(decision.undecided, []);
});

test('a red with both within the tolerance of each other needs no confirmation', () => {
	const { row } = decideTurns(spread(4, -0.08, 0.003).map((d) => ({ d, cpu: d + 0.02 })));
	assert.equal(row.verdict, 'regressed');
	assert.deepEqual(codesOf(row), []);
});

test('a red that CPU per request alone proves needs no confirmation, however far apart the two are', () => {
	for (const cpu of [-0.06, -0.2]) {
		const { row } = decideTurns(spread(4, -0.12, 0.003).map((d) => ({ d, cpu: cpu + (d + 0.12) })));
		assert.equal(row.verdict, 'regressed');
		assert.deepEqual(codesOf(row), []);
	}
	for (const cpu of [
		[-0.5, 0.1, -0.5, 0.1],
		[-0.05, -0.051, -0.05, -0.051],
	]) {
		const { row } = decideTurns(spread(4, -0.12, 0.003).map((d, round) => ({ d, cpu: cpu[round] ?? 0 })));
		assert.equal(row.needsConfirmation, true, 'beyond the threshold but not clearly, or clearly but not beyond');
	}
});

test('a confirmed red is regressed, with the numbers of the alternating windows', () => {
	const { row, decision } = decideTurns(DOUBTFUL, { confirm: confirmRounds(spread(4, -0.1, 0.004)) });
	assert.equal(row.verdict, 'regressed');
	assert.equal(row.final, true);
	assert.equal(row.needsConfirmation, false);
	assertClose(row.estimate?.mean, -0.1, 1e-9);
	assertClose(row.pRegressed, decideTurns(spread(4, -0.1, 0.004)).row.pRegressed as number, 1e-6);
	assert.deepEqual(codesOf(row), ['confirmed-alternating']);
	assert.match(row.warnings[0]?.message ?? '', /−7\.7 %.*0 %.*−9\.5 % over 4 rounds/);
	assert.deepEqual(decision.confirm, []);
	assert.equal(decision.gate.outcome, 'fail');
});

test('a refuted red is unchanged', () => {
	const { row } = decideTurns(DOUBTFUL, { confirm: confirmRounds(spread(4, -0.005, 0.008)) });
	assert.equal(row.verdict, 'unchanged');
	assert.deepEqual(codesOf(row), ['confirmed-alternating']);
});

test('undecided confirm rounds go on to the last look, then the row is inconclusive', () => {
	const noisy = spread(20, -0.05, 0.1);
	const open = decideTurns(DOUBTFUL, { confirm: confirmRounds(noisy.slice(0, 10)) });
	assert.deepEqual(open.decision.confirm, ['app/ping']);
	const { row } = decideTurns(DOUBTFUL, { confirm: confirmRounds(noisy) });
	assert.equal(row.verdict, 'inconclusive');
	assert.equal(row.final, true);
	assert.deepEqual(codesOf(row), ['unconfirmed']);
	assertClose(row.estimate?.mean, -0.08, 1e-9);
});

test('a budget that ends before the confirmation leaves the row inconclusive, never red', () => {
	const none = decideTurns(DOUBTFUL, { ended: 'budget' }).row;
	assert.equal(none.verdict, 'inconclusive');
	assert.deepEqual(codesOf(none), ['unconfirmed']);
	const five = decideTurns(DOUBTFUL, { ended: 'budget', confirm: confirmRounds(spread(5, -0.1, 0.02)) }).row;
	assert.equal(five.verdict, 'regressed', 'the last look has the weight that is left');
});

test('later main rounds do not cancel the confirmation of a row', () => {
	const turns = [...DOUBTFUL, ...spread(5, 0, 0.003)];
	assert.equal(decideTurns(turns).row.needsConfirmation, true);
	const { row } = decideTurns(turns, { ended: 'budget' });
	assert.equal(row.verdict, 'inconclusive');
	assert.equal(row.estimate?.rounds, 4, 'the numbers stay those that raised the doubt');
});

test('unequal CPU shares that could hide a drop of throughput are confirmed before the row is unchanged', () => {
	const { row } = decideTurns(HIDDEN);
	assert.equal(row.judgedBy, 'cpu-per-request');
	assert.equal(row.needsConfirmation, true);
	const confirmed = decideTurns(HIDDEN, { confirm: confirmRounds(spread(4, -0.15, 0.01)) }).row;
	assert.equal(confirmed.verdict, 'regressed');
	assert.equal(confirmed.judgedBy, 'throughput');
	assert.deepEqual(codesOf(confirmed), ['unequal-cpu', 'confirmed-alternating']);
	const refuted = decideTurns(HIDDEN, { confirm: confirmRounds(spread(4, 0, 0.01)) }).row;
	assert.equal(refuted.verdict, 'unchanged');
});

test('a green whose head leaves CPU to base is confirmed if the whole wait could be a drop of the threshold', () => {
	const waiting = spread(4, -0.028, 0.006).map((d) => ({ d, cpu: d + 0.026 }));
	const { row, decision } = decideTurns(waiting);
	assert.equal(row.judgedBy, 'throughput');
	assert.equal(row.needsConfirmation, true);
	assert.deepEqual(decision.confirm, ['app/ping']);
	const confirmed = decideTurns(waiting, { confirm: confirmRounds(spread(4, -0.07, 0.004)) }).row;
	assert.equal(confirmed.verdict, 'regressed');
	assert.match(confirmed.warnings[0]?.message ?? '', /−2\.8 %.*0\.2 %.*disagree.*−6\.8 % over 4 rounds/);
	assert.equal(decideTurns(waiting, { confirm: confirmRounds(spread(4, 0, 0.004)) }).row.verdict, 'unchanged');
});

/** Four rounds in which head may wait: a drop of the threshold is excluded, but not with the gap counted twice. */
const MAY_WAIT: readonly Turn[] = spread(4, -0.02, 0.006).map((d) => ({ d, cpu: d + 0.02 }));

test('a row in which head may wait continues until more rounds exclude the whole wait', () => {
	const { row, decision } = decideTurns(MAY_WAIT);
	assert.deepEqual([row.final, row.needsConfirmation, decision.undecided], [false, false, ['app/ping']]);
	const more = spread(9, -0.02, 0.006).map((d) => ({ d, cpu: d + 0.02 }));
	assert.equal(decideTurns(more).row.verdict, 'unchanged');
	assert.equal(
		decideTurns(MAY_WAIT, { ended: 'budget' }).row.verdict,
		'unchanged',
		'the weight that is left excludes it',
	);
});

test('if rounds do not exclude the wait, the last look confirms, and a spent budget is inconclusive', () => {
	const turns = spread(4, -0.022, 0.008).map((d) => ({ d, cpu: d + 0.022 }));
	assert.equal(decideTurns(turns, { plan: { looks: planLooks(4) } }).row.needsConfirmation, true);
	const { row } = decideTurns(turns, { ended: 'budget' });
	assert.deepEqual([row.verdict, codesOf(row)], ['inconclusive', ['unconfirmed']]);
	assert.match(row.warnings[0]?.message ?? '', /the budget was used up/);
});

test('a row in which head once may have waited does not pass at a later look merely because the wait is unclear', () => {
	const odd = [0.001, -0.001].map((noise) => ({ d: noise + 0.01, cpu: noise - 0.045 }));
	const { row } = decideTurns([...MAY_WAIT, ...odd]);
	assert.equal(row.final, false);
	assert.equal(
		decideTurns([...odd, ...odd, ...odd]).row.verdict,
		'unchanged',
		'which would be so without the first four',
	);
});

test('a held-back row turns red if later rounds withdraw the pass', () => {
	const slower = spread(16, -0.12, 0.003).map((d) => ({ d, cpu: d + 0.02 }));
	const { row } = decideTurns([...MAY_WAIT, ...slower]);
	assert.equal(row.verdict, 'regressed');
});

test('a round discarded as a machine event does not keep a row from its last look and confirmation', () => {
	const turns = spread(20, -0.03, 0.03).map((d, round) => ({ d, cpu: d + 0.012, speed: round === 8 ? 0.4 : 1 }));
	const { row, decision } = decideTurns(turns);
	assert.deepEqual(decision.discardedRounds, [9]);
	assert.equal(row.needsConfirmation, true);
});

test('the more CPU head leaves, the more its green is doubted, even beyond unequal shares', () => {
	const cpu = spread(4, 0, 0.015);
	const { row } = decideTurns(spread(4, -0.13, 0.03).map((d, round) => ({ d, cpu: cpu[round] ?? 0 })));
	assert.equal(row.judgedBy, 'cpu-per-request');
	assert.equal(row.needsConfirmation, true);
});

test('unequal CPU shares confirm nothing if they are small, unclear, in favour of head, unknown, or servers wait anyway', () => {
	const cpuOf = (d: number, gap: number) => ({ d, cpu: d - gap });
	const cases: Readonly<Record<string, readonly Turn[]>> = {
		small: spread(4, -0.01, 0.002).map((d) => cpuOf(d, -0.01)),
		unclear: spread(4, 0, 0.004).map((d, round) => cpuOf(d, round === 2 ? -0.25 : 0.001)),
		favourable: spread(4, -0.005, 0.002).map((d) => cpuOf(d, 0.04)),
		idle: spread(4, 0, 0.004).map((d) => ({ ...cpuOf(d, -0.1), server: 0.5 })),
		unknown: MAY_WAIT.map((turn, round) => (round === 3 ? { ...turn, cpu: null } : turn)),
	};
	for (const [name, turns] of Object.entries(cases)) assert.equal(decideTurns(turns).row.verdict, 'unchanged', name);
});

test('a run without a duet or without CPU time confirms nothing', () => {
	const d = spread(4, -0.08, 0.003);
	const rounds = scriptRounds(
		d.map((value) => ({ d: value, cpu: value + 0.08 })),
		{ design: 'alternating' },
	);
	assert.equal(decide(scriptPlan(['ping'], { design: 'alternating' }), rounds, null).rows[0]?.verdict, 'regressed');
	assert.equal(decideTurns(d.map((value) => ({ d: value, cpu: null }))).row.verdict, 'regressed');
	const alone = decide(
		scriptPlan(['ping'], { design: 'alternating' }),
		scriptRounds(MAY_WAIT, { design: 'alternating' }),
		null,
	);
	assert.equal(alone.rows[0]?.verdict, 'unchanged');
});

test('a row gated by CPU per request is neither confirmed by throughput nor held back for a wait', () => {
	const turns = spread(4, 0, 0.003).map((d) => ({ d, cpu: d - 0.08 }));
	const { row } = decideTurns(turns, { plan: { metrics: ['cpu-per-request'] } });
	assert.equal(row.verdict, 'regressed');
	assert.equal(decideTurns(MAY_WAIT, { plan: { metrics: ['cpu-per-request'] } }).row.verdict, 'unchanged');
});

test('if throughput excludes no drop because rounds correlate, CPU per request does not pass the row', () => {
	const throughput = [...spread(4, 0.06, 0.03), -0.05, -0.05];
	const turns = spread(6, 0, 0.027).map((cpu, at): Turn => ({ d: throughput[at] as number, cpu, generator: 0.99 }));
	const { row } = decideTurns(turns);
	assert.deepEqual([row.judgedBy, row.verdict, row.final], ['cpu-per-request', 'inconclusive', false]);
	const ended = decideTurns(turns, { ended: 'budget' }).row;
	assert.deepEqual([ended.verdict, codesOf(ended).includes('unconfirmed')], ['inconclusive', true]);
	const sure = spread(6, 0, 0.027).map((cpu, at): Turn => ({ d: at % 2 === 0 ? 0.06 : 0.03, cpu, generator: 0.99 }));
	assert.equal(decideTurns(sure).row.verdict, 'unchanged');
});

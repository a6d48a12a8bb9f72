import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costOfDrop } from '../../../src/inject/injection.ts';
import type { Laboratory } from '../../../src/measure/laboratory.ts';
import { createCalibrator, effectOf } from '../../../src/runs/selftest/calibrator.ts';
import type { SelftestTrial } from '../../../src/types/selftest.ts';
import { assertClose } from '../../support/close.ts';
import { scriptPlan, scriptRound } from '../../support/rounds.ts';

const PLAN = scriptPlan(['ping']);

/** A calibrator over servers that turn an amount into `effect` times as much CPU time, with a log of its requests. */
function start(effect: number, options: { cpu?: boolean; signal?: AbortSignal } = {}) {
	const probed: string[] = [];
	let rounds = 0;
	const laboratory = (amount: number): Laboratory => ({
		verify: async () => [],
		warnings: () => [],
		async runRound(plan) {
			options.signal?.throwIfAborted();
			rounds++;
			const d = -Math.log1p(effect * amount);
			return scriptRound(plan.round, { ping: { d, cpu: options.cpu === false ? null : d } }, plan);
		},
	});
	const signal = options.signal ?? new AbortController().signal;
	const calibrator = createCalibrator({ laboratory, signal, onProbe: (server) => probed.push(server) });
	return { calibrator, probed, rounds: () => rounds };
}

test('each server is probed once, before its first drop, and the amount corrected by the outcome', async () => {
	const { calibrator, probed, rounds } = start(1.5);
	assert.equal(await calibrator.amountFor('koa', 0, PLAN), 0);
	assert.deepEqual([calibrator.roundsNeeded('koa', 0), calibrator.roundsNeeded('koa', 0.02)], [0, 4]);
	assert.deepEqual(probed, []);
	for (const drop of [0.02, 0.05, 0.1]) {
		assertClose(await calibrator.amountFor('koa', drop, PLAN), costOfDrop(drop) / 1.5, 1e-6);
	}
	await calibrator.amountFor('hono', 0.05, PLAN);
	assert.equal(calibrator.roundsNeeded('koa', 0.02), 0);
	assert.deepEqual(probed, ['koa', 'hono']);
	assert.equal(rounds(), 8);
});

test('trials refine the estimate, larger amounts more than small ones', async () => {
	const { calibrator } = start(1.5);
	await calibrator.amountFor('koa', 0.1, PLAN);
	const trial = (amount: number, d: number) =>
		({ server: 'koa', amount, dCpu: Array(40).fill(d) }) as unknown as SelftestTrial;
	calibrator.learn(trial(0.001, -0.5));
	assertClose(costOfDrop(0.1) / (await calibrator.amountFor('koa', 0.1, PLAN)), 1.5, 0.15);
	calibrator.learn(trial(0.15, -Math.log1p(0.3)));
	const effect = costOfDrop(0.1) / (await calibrator.amountFor('koa', 0.1, PLAN));
	assert.ok(effect > 1.85 && effect < 2.1, `${effect}`);
	calibrator.learn(trial(0, 0.9));
	assertClose(costOfDrop(0.1) / (await calibrator.amountFor('koa', 0.1, PLAN)), effect, 1e-12);
});

test('without CPU time, or interrupted, the amount is as calculated', async () => {
	const blind = start(2, { cpu: false });
	assert.equal(await blind.calibrator.amountFor('koa', 0.05, PLAN), costOfDrop(0.05));
	const stop = new AbortController();
	stop.abort(new Error('stop'));
	const stopped = start(2, { signal: stop.signal });
	assert.equal(await stopped.calibrator.amountFor('koa', 0.05, PLAN), costOfDrop(0.05));
});

test('an impossible effect is ignored', () => {
	assert.equal(effectOf([]), 1);
	assert.equal(effectOf([{ amount: 0.1, dCpu: [0.2, 0.3] }]), 0.5);
	assert.equal(effectOf([{ amount: 0.1, dCpu: [-1] }]), 3);
	assertClose(effectOf([{ amount: 0.2, dCpu: [-Math.log1p(0.3)] }]), 1.5, 1e-12);
});

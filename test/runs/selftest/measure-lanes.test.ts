/** The rounds in which a selftest compares several lanes with one, in scripted laboratories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Laboratory } from '../../../src/measure/laboratory.ts';
import { findLanesToCheck, type LanesContext, measureLanes, PLANTED } from '../../../src/runs/selftest/lane-check.ts';
import type { Cell } from '../../../src/types/plan.ts';
import type { Janitor } from '../../../src/types/run-services.ts';
import { scriptRound } from '../../support/rounds.ts';
import { CONFIG } from './simulated.ts';

const CELLS: readonly Cell[] = ['ping', 'json'].map((scenario) => ({
	id: `app/${scenario}`,
	server: 'app',
	scenario,
	threshold: 0.05,
	tolerance: 0.025,
}));
const SECONDS = 4;

/** A machine whose clock advances with each round, or with all that are measured at once. */
function start(budget: number, change: Partial<LanesContext> = {}) {
	const log: string[] = [];
	let now = 0;
	let atWork = 0;
	let most = 0;
	const laboratory =
		(name: string) =>
		(amount: number): Laboratory => ({
			verify: async () => [],
			warnings: () => [],
			async runRound({ round, pairs }) {
				const [turn] = pairs[0]?.turns ?? [];
				log.push(`${name} ${turn?.cell} ${amount} round ${round}`);
				if (atWork++ === 0) now += SECONDS;
				most = Math.max(most, atWork);
				await new Promise((resolve) => setImmediate(resolve));
				atWork--;
				return scriptRound(round, { [turn?.cell.slice('app/'.length) ?? '']: { d: -amount } });
			},
		});
	const run = measureLanes({
		config: CONFIG,
		cells: CELLS,
		alone: laboratory('alone'),
		lanes: [laboratory('first'), laboratory('second')],
		amountFor: async (_cell, drop) => drop,
		left: () => budget - now,
		clock: () => now,
		signal: new AbortController().signal,
		onVisit: () => {},
		...change,
	});
	return { log, run, most: () => most };
}

test('each cell is visited against itself and with a planted drop, alone and then in all lanes at once', async () => {
	const { log, run, most } = start(8 * SECONDS);
	const samples = await run;
	assert.deepEqual(log.slice(0, 6), [
		'alone app/ping 0 round 1',
		'first app/ping 0 round 1',
		'second app/ping 0 round 1',
		`alone app/ping ${PLANTED} round 1`,
		`first app/ping ${PLANTED} round 1`,
		`second app/ping ${PLANTED} round 1`,
	]);
	// The next cell is visited in the opposite order.
	assert.deepEqual(log.slice(6, 9), [
		'first app/json 0 round 1',
		'second app/json 0 round 1',
		'alone app/json 0 round 1',
	]);
	assert.equal(most(), 2);
	assert.equal(samples.length, 12, 'the budget has room for four visits');
	assert.deepEqual(
		samples.slice(3, 6).map(({ drop, together, d }) => [drop, together, Math.round(1000 * (d ?? 0))]),
		[
			[PLANTED, false, -50],
			[PLANTED, true, -50],
			[PLANTED, true, -50],
		],
	);
});

test('the first visit is always made, and an interrupt keeps the finished ones', async () => {
	assert.equal((await start(0).run).length, 3);
	const stop = new AbortController();
	let visits = 0;
	const { run } = start(1e6, {
		signal: stop.signal,
		onVisit: () => {
			if (++visits < 3) return;
			stop.abort(new Error('stop'));
			stop.signal.throwIfAborted();
		},
	});
	assert.equal((await run).length, 6);
	assert.deepEqual(await start(1e6, { cells: [] }).run, []);
});

test('an error in one lane is reported, after the others have ended', async () => {
	let ended = 0;
	const broken = (): Laboratory => ({
		verify: async () => [],
		warnings: () => [],
		runRound: async () => Promise.reject(new Error('the generator is gone')),
	});
	const slow = (): Laboratory => ({
		verify: async () => [],
		warnings: () => [],
		async runRound({ round }) {
			await new Promise((resolve) => setImmediate(resolve));
			ended++;
			return scriptRound(round, { ping: { d: 0 } });
		},
	});
	await assert.rejects(start(100, { lanes: [broken, slow] }).run, /the generator is gone/);
	assert.equal(ended, 1);
});

test('a selftest without lanes does not measure them', async () => {
	const janitor = {} as Janitor;
	assert.deepEqual(await findLanesToCheck({ config: {}, janitor }), { found: null, noLanes: [] });
	assert.deepEqual(await findLanesToCheck({ config: { lanes: 1 }, janitor }), { found: null, noLanes: [] });
});

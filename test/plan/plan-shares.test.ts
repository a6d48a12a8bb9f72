import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planShares } from '../../src/plan/baseline-duets.ts';
import type { Config, ServerSpec } from '../../src/types/config.ts';
import { builtinScenario } from '../config/example-catalogue.ts';
import { configOf, customServer } from '../prepare/support.ts';

const REFERENCE: ServerSpec = { kind: 'built-in', name: 'node-http', without: { html: 'it has no templates' } };
const KOA: ServerSpec = { kind: 'built-in', name: 'koa' };
const ping = builtinScenario('ping');

function idsOf(
	servers: readonly ServerSpec[],
	scenarios: Config['scenarios'],
	installed = servers.map(({ name }) => name),
) {
	const plan = planShares({ ...configOf([]), servers, scenarios }, installed, REFERENCE);
	return plan?.cells.map(({ id }) => id) ?? null;
}

test('scenarios that both servers answer are loaded in turn, in short windows and few rounds', () => {
	const plan = planShares({ ...configOf([]), servers: [KOA], scenarios: [ping] }, ['koa'], REFERENCE);
	assert.ok(plan);
	const { design, timing } = plan;
	assert.deepEqual([design, timing.windows, timing.soloRounds, timing.resting], ['alternating', 6, 0, true]);
	assert.ok(Math.abs(timing.windowSeconds - 0.05) < 1e-9);
});

test('a scenario that the reference leaves out, and one defined by the user, have no share', () => {
	const ownScenario = { ...ping, name: 'mine', origin: 'config' as const };
	assert.deepEqual(idsOf([KOA], [ping, { ...ping, name: 'html' }, ownScenario]), ['koa/ping']);
	assert.equal(idsOf([{ ...customServer('.'), scenarios: ['mine'] }], [ownScenario]), null);
});

test('the reference itself, an absent server, and a row at a fixed rate or with its own load have no share', () => {
	assert.deepEqual(idsOf([REFERENCE, KOA], [ping]), ['koa/ping']);
	assert.equal(idsOf([KOA], [ping], []), null);
	assert.equal(idsOf([KOA], [{ ...ping, load: { ...ping.load, rate: 100 } }]), null);
	assert.equal(idsOf([KOA], [{ ...ping, metrics: ['cold-start'] }]), null);
	assert.equal(idsOf([KOA], [{ ...ping, workers: 2 }]), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameStep } from '../../src/config/ranking/ramp-steps.ts';
import { rampsOf } from '../../src/rank/scaling.ts';
import { summariseRanking } from '../../src/rank/summarise-ranking.ts';
import { rampTables } from '../../src/report/ranking/compared/ramp-tables.ts';
import { scriptData, scriptSample, scriptServer } from '../support/ranking-cases.ts';

/** Rows of koa with this solo throughput at each number of connections. */
function rowsAt(rates: Readonly<Record<number, number>>) {
	const samples = Object.entries(rates).map(([connections, rate]) =>
		scriptSample({ server: 'koa', scenario: nameStep('post', Number(connections)), round: 1, share: rate / 40_000 }),
	);
	const rows = summariseRanking(scriptData([scriptServer('koa')], samples)).rows;
	return rampsOf(rows.filter(({ server }) => server === 'koa'));
}

test('a server is saturated when more connections bring at most 5 %', () => {
	const [ramp] = rowsAt({ 10: 5000, 50: 9800, 100: 10_000, 200: 10_200, 500: 9000 });
	assert.equal(ramp?.saturation, 50);
	assert.deepEqual(
		ramp?.steps.map(({ connections }) => connections),
		[10, 50, 100, 200, 500],
	);
});

test('a server that still rises at the last step has no saturation point', () => {
	assert.equal(rowsAt({ 10: 5000, 50: 8000, 100: 10_000 })[0]?.saturation, null);
});

test('the table of a ramp gives advice for a server that still rises', () => {
	const noteOf = (...saturations: (number | null)[]) => {
		const ramps = saturations.map((saturation) => ({ server: 'koa', scenario: 'post', steps: [], saturation }));
		return rampTables({ ramps, setup: scriptData([], []).setup })[0]?.note;
	};
	assert.match(String(noteOf(10, null)), /Still rising: .* --ramp takes larger numbers\./);
	assert.doesNotMatch(String(noteOf(10, 50)), /rising/);
});

test('a server that never rises is saturated at the first step', () => {
	assert.equal(rowsAt({ 10: 5000, 50: 4000 })[0]?.saturation, 10);
});

test('several steps of one load are a ramp; one step, or rows without known steps, are not', () => {
	const steps = [10, 50, 100].map((connections, at) => ({
		connections,
		throughput: [500, 960, 1000][at] ?? 0,
		...{ p50: 1, p99: 2 },
	}));
	const stagedAt = (stepsAlone: typeof steps | undefined) => {
		const sample = scriptSample({ server: 'koa', scenario: 'post', round: 1, share: 0.5 });
		const { server } = sample.alone;
		assert.ok(server);
		const alone = { server: { ...server, ...(stepsAlone && { steps: stepsAlone }) }, reference: null };
		return rampsOf(summariseRanking(scriptData([scriptServer('koa')], [{ ...sample, alone }])).rows);
	};
	assert.deepEqual(stagedAt(steps), [{ server: 'koa', scenario: 'post', steps, saturation: 50 }]);
	assert.deepEqual(stagedAt(steps.slice(0, 1)), []);
	assert.deepEqual(stagedAt(undefined), []);
});

test('one step is no ramp', () => {
	assert.deepEqual(rowsAt({ 10: 5000 }), []);
});

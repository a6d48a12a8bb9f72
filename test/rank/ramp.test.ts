import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameStep } from '../../src/config/measure/ramp-steps.ts';
import { rampsOf } from '../../src/rank/ramp.ts';
import { summariseMeasure } from '../../src/rank/summarise-measure.ts';
import { rampTables } from '../../src/report/measure/measure-tables.ts';
import type { MeasureResult } from '../../src/types/ranking/measure.ts';
import { scriptData, scriptSample, scriptServer } from '../support/measure-cases.ts';

/** Rows of koa whose throughput alone at each number of connections is as told. */
function rowsAt(rates: Readonly<Record<number, number>>) {
	const samples = Object.entries(rates).map(([connections, rate]) =>
		scriptSample({ server: 'koa', scenario: nameStep('post', Number(connections)), round: 1, share: rate / 40_000 }),
	);
	const rows = summariseMeasure(scriptData([scriptServer('koa')], samples)).rows;
	return rampsOf(rows.filter(({ server }) => server === 'koa'));
}

test('a server is saturated where more connections bring no more than 5 %', () => {
	const [ramp] = rowsAt({ 10: 5000, 50: 9800, 100: 10_000, 200: 10_200, 500: 9000 });
	assert.equal(ramp?.saturation, 50);
	assert.deepEqual(
		ramp?.steps.map(({ connections }) => connections),
		[10, 50, 100, 200, 500],
	);
});

test('one that is still rising at the last step has no such point', () => {
	assert.equal(rowsAt({ 10: 5000, 50: 8000, 100: 10_000 })[0]?.saturation, null);
});

test('the table of a ramp says what to do about one that is still rising', () => {
	const noteOf = (...saturations: (number | null)[]) => {
		const ramps = saturations.map((saturation) => ({ server: 'koa', scenario: 'post', steps: [], saturation }));
		return rampTables({ ramps } as unknown as MeasureResult)[0]?.note;
	};
	assert.match(String(noteOf(10, null)), /Still rising: .* --ramp takes larger numbers\./);
	assert.doesNotMatch(String(noteOf(10, 50)), /rising/);
});

test('one that never rises is saturated at the first step', () => {
	assert.equal(rowsAt({ 10: 5000, 50: 4000 })[0]?.saturation, 10);
});

test('one step is no ramp', () => {
	assert.deepEqual(rowsAt({ 10: 5000 }), []);
});

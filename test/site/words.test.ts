import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, interval, range, seAt, seBetween, spoken, unit } from '../../src/site/page/words.ts';
import type { SiteCell } from '../../src/site/site-data.ts';

test('a level is a change of its metric: if less is better, worse is more', () => {
	const level = Math.log(0.96);
	assert.equal(change('throughput', level), '−4.0 %');
	assert.equal(change('cpu-per-request', level), '+4.2 %');
	assert.equal(interval('throughput', level, 0.005), '[−4.9 … −3.1]');
	assert.equal(interval('latency-p99', level, 0.005), '[+3.2 … +5.2]');
	assert.equal(range('throughput', -0.05, -0.03), '[−4.9 … −3.0]');
	assert.equal(range('memory-peak', -0.05, -0.03), '[+3.0 … +5.1]');
	assert.equal(spoken('cpu-per-request', -0.05, -0.03), '+3.0 % to +5.1 %');
	assert.deepEqual([unit('throughput'), unit('cpu-per-request')], ['requests/s', 'CPU per request']);
});

test('an interval grows with every link between two compared points, and with no other', () => {
	const cell = {
		era: [0, 0, 1, 2],
		se: [0.03, 0.03, 0.03, 0.03],
		anchors: [
			{ level: 0, se: 0.05 },
			{ level: 0, se: 0.04 },
			{ level: 0, se: 0 },
		],
	} as Partial<SiteCell> as SiteCell;
	const near = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 1e-12, `${value}`);
	near(seAt(cell, 3), 0.03);
	near(seAt(cell, 2), 0.05);
	near(seAt(cell, 0), Math.hypot(0.03, 0.05));
	near(seBetween(cell, 0, 1), Math.hypot(0.03, 0.03));
	near(seBetween(cell, 1, 2), Math.hypot(0.03, 0.03, Math.sqrt(0.05 ** 2 - 0.04 ** 2)));
	near(seBetween(cell, 2, 2), 0);
});

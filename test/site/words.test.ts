import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, interval, range, spoken, unit } from '../../src/site/page/words.ts';

test('a level is told as a change of its metric: where less is better, worse is more', () => {
	const level = Math.log(0.96);
	assert.equal(change('throughput', level), '−4.0 %');
	assert.equal(change('cpu-per-request', level), '+4.2 %');
	assert.equal(interval('throughput', level, 0.005), '[−4.9 … −3.1]');
	assert.equal(interval('latency-p99', level, 0.005), '[+3.2 … +5.2]');
	assert.equal(range('throughput', -0.05, -0.03), '[−4.9 … −3.0]');
	assert.equal(range('memory-peak', -0.05, -0.03), '[+3.0 … +5.1]');
	assert.equal(spoken('cpu-per-request', -0.05, -0.03), '+3.0 to +5.1 %');
	assert.deepEqual([unit('throughput'), unit('cpu-per-request')], ['requests/s', 'CPU per request']);
});

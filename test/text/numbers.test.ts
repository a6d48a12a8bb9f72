import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as numbers from '../../src/text/numbers.ts';

test('changes carry a true sign, one decimal and a percent sign', () => {
	const cases: [number | null, string][] = [
		[-0.0614, '−6.1 %'],
		[0.05, '+5.0 %'],
		[-0.0004, '0.0 %'],
		[0, '0.0 %'],
		[2.5, '+250 %'],
		[-0.9999, '−100 %'],
		[12.5, '+1,250 %'],
		[Infinity, '+∞ %'],
		[null, '–'],
	];
	for (const [change, text] of cases) assert.equal(numbers.formatChange(change), text);
});

test('intervals share one percent sign with their column, and unbounded ends are infinite', () => {
	assert.equal(numbers.formatInterval({ low: -0.082, high: -0.039 }), '[−8.2 … −3.9]');
	assert.equal(numbers.formatInterval({ low: null, high: 0.01 }), '[−∞ … +1.0]');
	assert.equal(numbers.formatInterval({ low: -0.01, high: null }), '[−1.0 … +∞]');
	const wide = { low: -0.938, high: 9e8 };
	assert.deepEqual([numbers.formatInterval(wide), numbers.formatRange(wide)], ['unknown', 'unknown']);
	assert.equal(numbers.formatInterval({ low: 18, high: 20 }), '[+1,800 … +2,000]');
	assert.equal(numbers.formatRange({ low: -0.082, high: -0.039 }), '−8.2 % to −3.9 %');
	assert.equal(numbers.formatRange({ low: -0.01, high: null }), '−1.0 % to +∞');
	assert.equal(numbers.formatRange(null), '–');
	assert.equal(numbers.formatInterval(null), '–');
});

test('shares drop trailing zeros', () => {
	assert.equal(numbers.formatPercent(0.05), '5 %');
	assert.equal(numbers.formatPercent(0.025), '2.5 %');
	assert.equal(numbers.formatPercent(0.00123), '0.12 %');
	assert.equal(numbers.formatPercent(1), '100 %');
	assert.equal(numbers.formatPercent(null), '–');
	assert.equal(numbers.formatShare({ value: 0.4249, low: 0.4, high: 0.4501 }), '42 % [40 … 45]');
	assert.equal(
		numbers.formatShare({ value: 1.02, low: 0.6, high: 1.51 }),
		'too noisy',
		'less sure than ±25 % of itself',
	);
	assert.equal(numbers.formatShare(null), '–');
});

test('both figures of a pair have the scale and decimals of the larger', () => {
	const cases: [number | null, number | null, string, string][] = [
		[12345.4, 9870.2, 'requests/s', '12,345 9,870 requests/s'],
		[1234567, 0, 'requests/s', '1,234,567 0 requests/s'],
		[99.94, 8.1, 'requests/s', '99.9 8.1 requests/s'],
		[950, 1050, 'µs', '0.95 1.05 ms'],
		[2_500_000, 900_000, 'µs', '2.50 0.90 s'],
		[0.042, 0.05, 'ms', '42.0 50.0 µs'],
		[1500, 20, 'ms', '1.50 0.02 s'],
		[87.4, 1001, 'MB', '0.09 1.00 GB'],
		[null, 12, 'µs', '– 12.0 µs'],
		[null, null, 'ms', '– – ms'],
	];
	for (const [base, head, unit, text] of cases) {
		const pair = numbers.formatPair(base, head, unit);
		assert.equal(`${pair.base} ${pair.head} ${pair.unit}`, text);
	}
});

test('durations show their two largest units', () => {
	const cases: [number, string][] = [
		[0.04, '0 s'],
		[9.44, '9.4 s'],
		[9.96, '10 s'],
		[59.6, '1 min'],
		[252, '4 min 12 s'],
		[600, '10 min'],
		[3599.7, '1 h'],
		[3780, '1 h 3 min'],
	];
	for (const [seconds, text] of cases) assert.equal(numbers.formatDuration(seconds), text);
	const windows = [0.5, 0.1, 0.05, 1.2 / 36].map((seconds) => numbers.formatWindow(seconds));
	assert.deepEqual(windows, ['0.5 s', '0.1 s', '50 ms', '33 ms']);
});

test('counts, scale ends and footnote marks', () => {
	assert.equal(numbers.countOf(1, 'cell'), '1 cell');
	assert.equal(numbers.countOf(1200, 'cell'), '1,200 cells');
	assert.equal(numbers.formatScaleEnd(-0.15), '−15 %');
	assert.equal(numbers.superscript(120), '¹²⁰');
});

test('a number is exact if JavaScript keeps all written digits', () => {
	for (const text of [
		'0',
		'-0',
		'1.10',
		'01234',
		'1e3',
		'+5',
		'9007199254740992',
		'1000000000000000000000',
		'.5',
		'0.1',
	]) {
		assert.equal(numbers.isExactNumber(text), true, text);
	}
	for (const text of [
		'9007199254740993',
		'-197038439483310086',
		'0.1234567890123456789',
		'1e400',
		'1e-400',
		'.inf',
		'',
	]) {
		assert.equal(numbers.isExactNumber(text), false, text);
	}
});

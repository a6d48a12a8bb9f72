import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDuration, parsePercentage, writeDuration, writePercentage } from '../../src/config/durations.ts';

test('durations are read in four units', () => {
	const read = ['500ms', '90s', '10m', '1h', '1.5s', '0.25h'].map(parseDuration);
	assert.deepEqual(read, [0.5, 90, 600, 3600, 1.5, 900]);
});

for (const text of ['', '10', '0s', '0.000m', '-1s', '10 m', '1d', '1m30s', '1e3s', '.5s', '0.5ms', '1.2345s', '10M']) {
	test(`"${text}" is no duration`, () => assert.equal(parseDuration(text), undefined));
}

test('durations are written in the largest unit that is exact', () => {
	const written = [0, 0.5, 1.5, 90, 600, 3600, 5400].map(writeDuration);
	assert.deepEqual(written, ['0ms', '500ms', '1.5s', '90s', '10m', '1h', '90m']);
});

test('a duration survives writing and reading', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 10_000_000 }), (milliseconds) => {
			const seconds = milliseconds / 1000;
			assert.equal(parseDuration(writeDuration(seconds)), seconds);
		}),
	);
});

test('percentages are read without a second rounding', () => {
	assert.deepEqual(['5%', '2.3%', '0.1%', '99.9%'].map(parsePercentage), [0.05, 0.023, 0.001, 0.999]);
});

for (const text of ['', '5', '0%', '0.0%', '100%', '200%', '-5%', '5 %', '.5%', '5,5%', '%']) {
	test(`"${text}" is no percentage`, () => assert.equal(parsePercentage(text), undefined));
}

test('a percentage survives writing and reading', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 99_999_999 }), (millionths) => {
			const fraction = Number(`${millionths}e-8`);
			assert.equal(parsePercentage(writePercentage(fraction)), fraction);
		}),
	);
});

/** What a ranking says of its time before it is begun. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeDryRun } from '../../src/cli/measure/dry-run.ts';
import { resolveMeasure } from '../../src/config/measure/resolve-measure.ts';
import type { Flags } from '../../src/config/read-flags.ts';
import { largestSpread, logShareOf, shareOf } from '../../src/rank/log-share.ts';
import { CATALOGUE } from '../config/example-catalogue.ts';

const describeRun = (flags: Flags) => describeDryRun(resolveMeasure(null, flags, CATALOGUE, () => 7)).split('\n');

test('it says how long the fewest rounds take, how many the budget has room for, and where they are enough', () => {
	const [servers, scenarios, rows, least, room] = describeRun({ budget: '5m' });
	assert.equal(servers, '3 servers: express, fastify, node-http');
	assert.equal(scenarios, '2 scenarios: ping, json-post');
	assert.equal(rows, '4 rows, in turn with node-http.');
	// Two pairs: 1.7 s to start and warm up, and for each of two scenarios 1 s of warm-up and 48 windows of 70 ms.
	assert.equal(
		least,
		'3 rounds take about 1 min 3 s, enough for ±4 % where a round spreads by up to 3 %. That is the fewest. Rows that are not precise enough by then are measured further.',
	);
	assert.equal(
		room,
		'The budget of 5 min has room for 14 rounds of every row, enough for ±4 % where a round spreads by up to 7.3 %.',
	);
});

test('a budget that is too little for the fewest rounds is named with one that is not', () => {
	const [, , , least, budget] = describeRun({ budget: '1m' });
	assert.equal(least, '3 rounds take about 1 min 3 s.');
	assert.match(budget ?? '', /^The budget of 1 min is too little .* --budget 2m is enough, and --shards /);
	const [, , , enough] = describeRun({ budget: '2m' });
	assert.match(enough ?? '', /enough for ±4 %/);
});

test('a number of trials needs no precision, and one round takes', () => {
	const [, , , time, budget] = describeRun({ trials: '1' });
	assert.deepEqual([time, budget], ['1 round takes about 21 s.', 'Budget: 30 min.']);
});

describe('the largest spread with which rounds reach a precision', () => {
	for (const rounds of [3, 8, 9, 20]) {
		test(`is what makes the interval of ${rounds} rounds that wide`, () => {
			const sd = largestSpread(0.04, rounds, 1) ?? Number.NaN;
			// Half of them that far above, half below; a middle one lies between.
			const d = Array.from({ length: rounds }, (_, at): number =>
				at * 2 + 1 === rounds ? 0 : at * 2 < rounds ? 1 : -1,
			);
			const own = Math.sqrt(d.reduce((sum, one) => sum + one * one, 0) / (rounds - 1));
			const share = logShareOf(
				d.map((one) => (one / own) * sd),
				[],
			);
			assert.ok(share);
			const { low, high, value } = shareOf(share);
			assert.ok(Math.abs((high - low) / 2 / value - 0.04) < 1e-6);
		});
	}

	test('is not known of a single round', () => assert.equal(largestSpread(0.04, 1, 10), null));
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { absoluteFigures } from '../../src/stats/absolute.ts';
import { roundDifferences } from '../../src/stats/differences.ts';
import { METRIC_NAMES, METRICS } from '../../src/types/metric.ts';
import type { CellRound, LatencyHistogram } from '../../src/types/round.ts';
import { scriptRound } from '../support/rounds.ts';

const ONE_TO_HUNDRED: LatencyHistogram = Array.from({ length: 100 }, (_, index) => [1000 * (index + 1), 10]);
const SLOWER: LatencyHistogram = ONE_TO_HUNDRED.map(([value, count]) => [1.25 * value, count]);

/** A turn in which head is 20 % worse in whatever it does. */
const WORSE = scriptRound(1, {
	ping: {
		d: Math.log(0.8),
		memory: [80e6, 100e6],
		after: [120e6, 150e6],
		start: { seconds: [0.2, 0.25], memory: [40e6, 50e6] },
		latency: { base: ONE_TO_HUNDRED, head: SLOWER },
	},
}).cells[0] as CellRound;

test('every metric is read from a turn: as a log ratio that is negative where head is worse, and as two figures', () => {
	const d = roundDifferences(WORSE);
	const figures = absoluteFigures([WORSE], 'duet');
	for (const metric of METRIC_NAMES) {
		const { base, head } = figures[metric];
		assert.ok(base && head, metric);
		const ratio = METRICS[metric].better === 'higher' ? head / base : base / head;
		assert.ok(Math.abs((d[metric] ?? 0) - Math.log(ratio)) < 1e-9, metric);
		assert.ok(Math.abs(ratio - 0.8) < 1e-9, `${metric} ${ratio}`);
	}
});

test('the page on configuration names every metric', () => {
	const page = readFileSync(new URL('../../docs/config.md', import.meta.url), 'utf8');
	for (const metric of METRIC_NAMES) assert.ok(page.includes(`\`${metric}\``), metric);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { absoluteFigures } from '../../src/stats/absolute.ts';
import { roundDifferences } from '../../src/stats/differences.ts';
import { GATED_METRICS, METRIC_NAMES, METRICS } from '../../src/types/metric.ts';
import type { CellRound, LatencyHistogram, Vitals } from '../../src/types/round.ts';
import { scriptRound } from '../support/rounds.ts';

const ONE_TO_HUNDRED: LatencyHistogram = Array.from({ length: 100 }, (_, index) => [1000 * (index + 1), 10]);
const SLOWER: LatencyHistogram = ONE_TO_HUNDRED.map(([value, count]) => [1.25 * value, count]);

const VITALS: Vitals = { gcShare: 0.04, gcCount: 20, gcLongest: 0.004, loopActive: 0.4 };

/** A turn in which head is 20 % worse in every metric. */
const LOADED = scriptRound(1, {
	ping: {
		d: Math.log(0.8),
		memory: [80e6, 100e6],
		after: [120e6, 150e6],
		start: { seconds: [0.2, 0.25], memory: [40e6, 50e6], reload: [0.3, 0.375], hotReload: [0.4, 0.5] },
		latency: { base: ONE_TO_HUNDRED, head: SLOWER },
	},
}).cells[0] as CellRound;
const WORSE: CellRound = {
	...LOADED,
	memoryAfterLoad: { base: 60e6, head: 75e6 },
	counted: [
		{
			base: { roundTrips: 4, calls: 40, bytesAllocated: 400 },
			head: { roundTrips: 5, calls: 50, bytesAllocated: 500 },
		},
	],
	vitals: { base: VITALS, head: { gcShare: 0.05, gcCount: 25, gcLongest: 0.005, loopActive: 0.5 } },
};

test('every metric is read from a turn: as a log ratio that is negative if head is worse, and as two figures', () => {
	const d = roundDifferences(WORSE);
	const figures = absoluteFigures([WORSE], 'duet');
	// Both sides of a duet have half a CPU, whatever they do.
	assert.deepEqual(figures['cpu-used'], { base: 50, head: 50, source: 'duet' });
	for (const metric of METRIC_NAMES.filter((name) => name !== 'cpu-used')) {
		const { base, head } = figures[metric];
		assert.ok(base && head, metric);
		const ratio = METRICS[metric].better === 'higher' ? head / base : base / head;
		assert.ok(Math.abs((d[metric] ?? 0) - Math.log(ratio)) < 1e-9, metric);
		assert.ok(Math.abs(ratio - 0.8) < 1e-9, `${metric} ${ratio}`);
	}
});

test('the page on configuration names every metric that can be gated, and the page on measuring the others', () => {
	const read = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
	const [config, measuring] = [read('config.md'), read('measuring.md')];
	for (const metric of METRIC_NAMES) {
		const page = GATED_METRICS.includes(metric) ? config : measuring;
		assert.ok(page.includes(`\`${metric}\``), metric);
	}
});

test('figures that processes report are unknown without a report, and a zero is compared with nothing', () => {
	const silent = roundDifferences(LOADED);
	assert.deepEqual([silent['gc-share'], silent['gc-longest'], silent['event-loop']], [null, null, null]);
	const idle = { ...LOADED, vitals: { base: VITALS, head: { ...VITALS, gcShare: 0, gcCount: 0, gcLongest: 0 } } };
	assert.equal(roundDifferences(idle)['gc-share'], null);
	assert.deepEqual(absoluteFigures([idle], 'duet')['gc-share'], { base: 4, head: 0, source: 'duet' });
});

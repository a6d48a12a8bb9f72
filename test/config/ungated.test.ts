import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../src/config/file/parse-config.ts';
import { isUserError } from '../../src/types/errors.ts';
import { GATED_METRICS, METRIC_NAMES } from '../../src/types/metric.ts';
import { CATALOGUE } from './example-catalogue.ts';

test('a gate can name every metric except those that the code under test could forge', () => {
	const parse = (metric: string) =>
		parseConfig(`gate: { metrics: [throughput, ${metric}] }`, 'benchgate.yml', CATALOGUE);
	for (const metric of METRIC_NAMES) {
		if (GATED_METRICS.includes(metric)) assert.equal(parse(metric).metrics?.at(-1)?.name, metric);
		else
			assert.throws(
				() => parse(metric),
				(error) => isUserError(error) && error.message.includes(metric),
			);
	}
	assert.deepEqual(
		METRIC_NAMES.filter((name) => !GATED_METRICS.includes(name)),
		['cpu-used', 'hot-reload', 'gc-share', 'gc-count', 'gc-longest', 'event-loop'],
	);
});

import { DRIFT_POLICIES, INCONCLUSIVE_POLICIES } from '../../types/config.ts';
import { GATED_METRICS } from '../../types/metric.ts';
import { choice, day, type JsonSchema, list, mapping, nameOrMapping, percentage } from './config-schema-parts.ts';

const metricName = choice('Metric.', GATED_METRICS);
const metric = mapping(
	'a metric, or a mapping such as { name: latency-p99, threshold: 25% }',
	{
		name: metricName,
		threshold: percentage('Threshold of the rows of this metric, whatever the scenario.', '25%'),
		tolerance: percentage('Tolerance of these rows. Half the threshold when absent.', '12%'),
	},
	'name',
);

/** JSON Schema of what fails: the key `gate` of `benchgate.yml`. */
export const gate: JsonSchema = {
	...mapping('a mapping such as { on-inconclusive: fail }', {
		'on-inconclusive': choice('Outcome when something stays undecided.', INCONCLUSIVE_POLICIES, 'pass'),
		metrics: {
			...list('Metrics that can fail the gate.', 'metrics', nameOrMapping(metricName, metric)),
			default: ['throughput'],
		},
		'enforce-after': day(
			'Last day (UTC) on which a red gate blocks nothing. When absent, red blocks at once.',
			'2026-12-24',
		),
		drift: choice('Whether drift of the main branch fails a run.', DRIFT_POLICIES, 'advisory'),
		'drift-threshold': percentage(
			'A drop of the main branch since its anchor of this or more is drift. Twice the threshold when absent.',
			'10%',
		),
	}),
	description: 'What fails.',
};

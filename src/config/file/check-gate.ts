import { METRIC_NAMES, METRICS, type MetricName } from '../../types/metric.ts';
import { DAY_PATTERN, isDay } from '../adoption-ramp.ts';
import { parsePercentage, writePercentage } from '../durations.ts';
import { asList, asMapping, checkMargins } from './check-scenario.ts';
import type { Problem } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

/**
 * Returns what is wrong with the metrics of the gate although the schema allows it: one given twice, or a tolerance that is not below
 * the threshold. Whether a threshold that stands elsewhere is above it only the whole config knows; that of a metric that has one of its
 * own is known here.
 */
export function checkMetrics(source: YamlSource): Problem[] {
	const metrics = asList(asMapping(asMapping(source.value).gate).metrics);
	const seen = new Set<unknown>();
	return metrics.flatMap((item, index): Problem[] => {
		const path = ['gate', 'metrics', index];
		const name = typeof item === 'string' ? item : asMapping(item).name;
		const isTwice = seen.has(name);
		seen.add(name);
		// Twice the same word has always been allowed; two thresholds of one metric contradict each other.
		const twice = isTwice && typeof item !== 'string';
		const message = `"${name}" is given twice; keep one`;
		return [
			...(twice ? [{ line: source.lineOf(path), path, message }] : []),
			...checkMargins(source, withUsual(asMapping(item)), path),
			...checkAlone(source, asMapping(item), path),
		];
	});
}

function withUsual(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const usual = METRIC_NAMES.includes(item.name as MetricName) ? METRICS[item.name as MetricName].threshold : undefined;
	return usual === undefined ? item : { threshold: writePercentage(usual), ...item };
}

/** A tolerance of its own needs a threshold of its own, which this metric has not got. */
function checkAlone(source: YamlSource, item: Readonly<Record<string, unknown>>, path: Problem['path']): Problem[] {
	const { threshold, tolerance } = withUsual(item);
	if (typeof tolerance !== 'string' || threshold !== undefined || parsePercentage(tolerance) === undefined) return [];
	const at = [...path, 'tolerance'];
	return [{ line: source.lineOf(at), path: at, message: 'a tolerance of its own needs a threshold; add one' }];
}

/** Returns what is wrong with the last day of the adoption ramp that its form does not tell: no calendar has it. */
export function checkRamp(source: YamlSource): Problem[] {
	const day = asMapping(asMapping(source.value).gate)['enforce-after'];
	if (typeof day !== 'string' || !new RegExp(DAY_PATTERN).test(day) || isDay(day)) return [];
	const path = ['gate', 'enforce-after'];
	return [{ line: source.lineOf(path), path, message: `there is no day ${day} in the calendar; give a real one` }];
}

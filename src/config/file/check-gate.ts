import { METRIC_NAMES, METRICS, type MetricName } from '../../types/metric.ts';
import { DAY_PATTERN, isDay } from '../adoption-ramp.ts';
import { parsePercentage, writePercentage } from '../durations.ts';
import { asList, asMapping, checkMargins } from './check-scenario.ts';
import type { Problem } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

/**
 * Returns duplicate metrics, and tolerances not below the metric's own threshold. Other thresholds are known only in
 * the resolved config.
 */
export function checkMetrics(source: YamlSource): Problem[] {
	const metrics = asList(asMapping(asMapping(source.value).gate).metrics);
	const seen = new Set<unknown>();
	return metrics.flatMap((item, index): Problem[] => {
		const path = ['gate', 'metrics', index];
		const name = typeof item === 'string' ? item : asMapping(item).name;
		const isTwice = seen.has(name);
		seen.add(name);
		// Repeated plain names were always allowed; mappings may contradict each other.
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

function checkAlone(source: YamlSource, item: Readonly<Record<string, unknown>>, path: Problem['path']): Problem[] {
	const { threshold, tolerance } = withUsual(item);
	if (typeof tolerance !== 'string' || threshold !== undefined || parsePercentage(tolerance) === undefined) return [];
	const at = [...path, 'tolerance'];
	return [{ line: source.lineOf(at), path: at, message: 'a tolerance of its own needs a threshold; add one' }];
}

/** Returns a problem when the last day of the adoption ramp does not exist. */
export function checkRamp(source: YamlSource): Problem[] {
	const day = asMapping(asMapping(source.value).gate)['enforce-after'];
	if (typeof day !== 'string' || !new RegExp(DAY_PATTERN).test(day) || isDay(day)) return [];
	const path = ['gate', 'enforce-after'];
	return [{ line: source.lineOf(path), path, message: `there is no day ${day} in the calendar; give a real one` }];
}

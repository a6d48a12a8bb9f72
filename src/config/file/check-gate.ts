import { isCounted, METRIC_NAMES, METRICS, type MetricName } from '../../types/metric.ts';
import { DAY_PATTERN, isDay } from '../adoption-ramp.ts';
import { PERCENTAGE_FORM, parsePercentage, parseRise, writePercentage } from '../durations.ts';
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
	const names = metrics.map((item) => (typeof item === 'string' ? item : asMapping(item).name));
	const problems = metrics.flatMap((item, index): Problem[] => {
		const path = ['gate', 'metrics', index];
		const name = names[index];
		const isTwice = seen.has(name);
		seen.add(name);
		// Repeated plain names were always allowed; mappings may contradict each other.
		const twice = isTwice && typeof item !== 'string';
		const message = `"${name}" is given twice; keep one`;
		return [
			...(twice ? [{ line: source.lineOf(path), path, message }] : []),
			...checkMargins(source, withUsual(asMapping(item)), path),
			...checkAlone(source, asMapping(item), path),
			...checkCount(source, asMapping(item), path),
		];
	});
	return names.length > 0 && names.every(isCount) ? [...problems, onlyCounts(source)] : problems;
}

function isCount(name: unknown): boolean {
	return METRIC_NAMES.includes(name as MetricName) && isCounted(name as MetricName);
}

/** Head counts its own calls and bytes, so they may fail a run but not pass it. */
function onlyCounts(source: YamlSource): Problem {
	const path = ['gate', 'metrics'];
	const message = 'counts can fail a run, but not pass it; add a metric that is measured, e.g. throughput';
	return { line: source.lineOf(path), path, message };
}

function checkCount(source: YamlSource, item: Readonly<Record<string, unknown>>, path: Problem['path']): Problem[] {
	const { name, threshold, tolerance } = item;
	const problemAt = (key: string, message: string) => {
		const at = [...path, key];
		return { line: source.lineOf(at), path: at, message };
	};
	const isRise = parseRise(threshold) !== undefined;
	if (!isCount(name)) {
		const isOther = isRise && METRIC_NAMES.includes(name as MetricName);
		return isOther ? [problemAt('threshold', `only a count has a rise as its limit; give ${PERCENTAGE_FORM}`)] : [];
	}
	return [
		...(threshold === undefined || isRise
			? []
			: [problemAt('threshold', 'the limit of a count is a rise; give +0 or more, e.g. +5%')]),
		...(tolerance === undefined ? [] : [problemAt('tolerance', 'a count is exact; leave the tolerance out')]),
	];
}

function withUsual(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const usual = METRIC_NAMES.includes(item.name as MetricName) ? METRICS[item.name as MetricName].threshold : undefined;
	return usual === undefined ? item : { threshold: writePercentage(usual), ...item };
}

function checkAlone(source: YamlSource, item: Readonly<Record<string, unknown>>, path: Problem['path']): Problem[] {
	const { name, threshold, tolerance } = withUsual(item);
	if (isCount(name)) return [];
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

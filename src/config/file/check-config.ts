import { isCounted, METRIC_NAMES, METRICS, type MetricName } from '../../types/metric.ts';
import { DAY_PATTERN, isDay } from '../adoption-ramp.ts';
import { type Catalogue, groupNames } from '../catalogue.ts';
import { PERCENTAGE_FORM, parsePercentage, parseRise, writePercentage } from '../durations.ts';
import { didYouMean } from '../suggest.ts';
import { isForeign } from './check-harness.ts';
import { asList, asMapping, checkMargins } from './check-scenario.ts';
import type { Path, Problem } from './problem.ts';
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

interface Entry {
	readonly name: string;
	readonly defines: boolean;
	readonly path: Path;
}

/** Returns unknown and repeated names, and definitions with a built-in name. */
export function checkNames(source: YamlSource, catalogue: Catalogue): Problem[] {
	const config = asMapping(source.value);
	const groups = groupNames(catalogue);
	const servers = entriesOf('servers', config.servers);
	const scenarios = entriesOf('scenarios', config.scenarios);
	const builtinServers = catalogue.servers.map(({ name }) => name);
	const builtinScenarios = [...catalogue.scenarios.map(({ name }) => name), ...groups];
	const at = (path: Path, message: string): Problem => ({ line: source.lineOf(path), path, message });
	return [
		...checkEntries(servers, builtinServers, 'server').map(([path, message]) => at(path, message)),
		...checkEntries(scenarios, builtinScenarios, 'scenario').map(([path, message]) => at(path, message)),
		...checkAnswered(config, scenarios, catalogue).map(([path, message]) => at(path, message)),
	];
}

function entriesOf(key: string, value: unknown): Entry[] {
	return asList(value).flatMap((item, index): Entry[] => {
		if (typeof item === 'string') return [{ name: item, defines: false, path: [key, index] }];
		const name = asMapping(item).name;
		return typeof name === 'string' ? [{ name, defines: true, path: [key, index, 'name'] }] : [];
	});
}

type Finding = readonly [Path, string];

function checkEntries(entries: readonly Entry[], builtin: readonly string[], kind: string): Finding[] {
	const seen = new Set<string>();
	return entries.flatMap(({ name, defines, path }): Finding[] => {
		const twice = seen.has(name);
		seen.add(name);
		if (twice) return [[path, `"${name}" is given twice; keep one`]];
		if (defines && builtin.includes(name)) return [[path, `"${name}" is built in; choose another name`]];
		if (!defines && !builtin.includes(name)) {
			return [[path, `"${name}" is not a built-in ${kind}${didYouMean(name, builtin)}`]];
		}
		return [];
	});
}

/** Servers may list the file's scenarios or, without any, built-in ones. */
function checkAnswered(
	config: Readonly<Record<string, unknown>>,
	listed: readonly Entry[],
	catalogue: Catalogue,
): Finding[] {
	const groups = groupNames(catalogue);
	const builtin = catalogue.scenarios.map(({ name }) => name);
	const inGroups = listed.flatMap(({ name }) =>
		catalogue.scenarios.filter(({ groups }) => name === 'all' || groups.includes(name)).map(({ name }) => name),
	);
	const scenarioNames = listed.length === 0 ? builtin : [...new Set([...listed.map(({ name }) => name), ...inGroups])];
	const allowed = [...new Set([...scenarioNames, ...groups])];
	return asList(config.servers).flatMap((server, index) =>
		asList(asMapping(server).scenarios).flatMap((name, item): Finding[] => {
			if (typeof name !== 'string' || allowed.includes(name)) return [];
			const path = ['servers', index, 'scenarios', item];
			if (builtin.includes(name)) return [[path, `"${name}" is not among the scenarios of this file; add it there`]];
			return [[path, `"${name}" is not a scenario${didYouMean(name, allowed)}`]];
		}),
	);
}

export function checkReads(source: YamlSource): Problem[] {
	const config = asMapping(source.value);
	const servers = asList(config.servers).map((server, index): [Path, unknown] => [
		['servers', index, 'reads'],
		asMapping(server).reads,
	]);
	const lists: readonly [Path, unknown][] = [[['reads'], config.reads], ...servers];
	return lists.flatMap(([at, list]) =>
		asList(list).flatMap((path, index): Problem[] => {
			const form = typeof path === 'string' ? refusalOf(path) : null;
			if (form === null) return [];
			const message = `${JSON.stringify(path)} is not allowed; ${form}, e.g. packages/api`;
			return [{ line: source.lineOf([...at, index]), path: [...at, index], message }];
		}),
	);
}

/** Taken literally, patterns would match nothing. */
function refusalOf(path: string): string | null {
	if (isForeign(path)) return 'a folder or file inside of the repository, relative to its top and without ".."';
	return /[*?{}]/.test(path) ? 'no patterns: a folder stands for everything in it' : null;
}

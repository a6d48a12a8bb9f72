import { type Catalogue, groupNames } from '../catalogue.ts';
import { didYouMean } from '../suggest.ts';
import { asList, asMapping } from './check-scenario.ts';
import type { Path, Problem } from './problem.ts';
import type { YamlSource } from './read-yaml.ts';

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

import type { CustomServer, PackageOverride, Scenario, ServerSpec, SpareScenarios } from '../types/config.ts';
import { UserError } from '../types/errors.ts';
import type { Seconds } from '../types/units.ts';
import {
	AUTO,
	type Catalogue,
	type CatalogueServer,
	frameworkName,
	groupNames,
	hasPackage,
	scenariosOfGroup,
	serversUsing,
} from './catalogue.ts';
import type { ConfigFile } from './file/parse-config.ts';
import type { Complain } from './read-flags.ts';
import { countHeld } from './row-costs.ts';
import { rowsRunning, type ScenarioRuns } from './scenario-runs.ts';
import { didYouMean, suggest } from './suggest.ts';

const DEFAULT_GROUP = 'core';

/** Returns the scenarios of the flag, else the file, else the servers' lists, else `core`. Complains about unknown names. */
export function selectScenarios(
	named: readonly string[] | undefined,
	file: ConfigFile | null,
	catalogue: Catalogue,
	servers: readonly ServerSpec[],
	auto: readonly string[],
	complain: Complain,
): Scenario[] {
	const configScenarios = ownScenarios(file);
	const choices = scenarioChoices(file, catalogue);
	const scenariosByName = new Map(
		[...configScenarios, ...catalogue.scenarios].map((scenario) => [scenario.name, scenario]),
	);
	const listed = file?.scenarios?.map((scenario) => (typeof scenario === 'string' ? scenario : scenario.name));
	const names = named ?? listed ?? servers.flatMap(namesOfServer);
	return expandGroups(names, configScenarios, catalogue, auto).flatMap((name) => {
		const scenario = scenariosByName.get(name);
		if (scenario) return [scenario];
		complain('scenario', `"${name}" is not a scenario${didYouMean(name, choices)}`);
		return [];
	});
}

export interface AutoNames {
	/** As many as the budget holds, at least one. */
	readonly chosen: readonly string[];
	readonly all: readonly string[];
}

/** Returns the scenarios that run the subject on a chosen server, core first; else core. */
export function autoScenarios(
	subjectName: string | undefined,
	servers: readonly ServerSpec[],
	catalogue: Catalogue,
	budget: Seconds,
	runs?: ScenarioRuns,
): AutoNames {
	const core = scenariosOfGroup(DEFAULT_GROUP, catalogue) ?? [];
	const rows = subjectName === undefined ? [] : rowsRunning(subjectName, runs);
	const running = rows.filter(({ server }) => servers.some(({ kind, name }) => kind === 'built-in' && name === server));
	const names = [...new Set([...core, ...catalogue.scenarios.map(({ name }) => name)])];
	const exercising = names.filter((name) => running.some(({ scenario }) => scenario === name));
	const all = exercising.length === 0 ? core : exercising;
	const held = countHeld(
		all.map((scenario) => ({ scenario, rows: servers.length })),
		budget,
	);
	return { chosen: all.slice(0, held), all };
}

/** Returns what `auto` leaves out for lack of budget; undefined if nothing. */
export function spareScenarios(
	{ chosen, all }: AutoNames,
	selected: readonly Scenario[],
	catalogue: Catalogue,
): SpareScenarios | undefined {
	const find = (name: string) => catalogue.scenarios.filter((scenario) => scenario.name === name);
	const isSelected = ({ name }: Scenario) => selected.some((scenario) => scenario.name === name);
	const others = all
		.slice(chosen.length)
		.flatMap(find)
		.filter((scenario) => !isSelected(scenario));
	return others.length === 0 ? undefined : { chosen, others };
}

/** Returns names of scenarios and groups, the file's own first. */
export function scenarioChoices(file: ConfigFile | null, catalogue: Catalogue): readonly string[] {
	const scenarios = [...ownScenarios(file), ...catalogue.scenarios].map(({ name }) => name);
	return [...new Set(scenarios), ...groupNames(catalogue)];
}

export function expandScenarioLists(
	servers: readonly ServerSpec[],
	file: ConfigFile | null,
	catalogue: Catalogue,
	auto: readonly string[],
): ServerSpec[] {
	return servers.map((server) => {
		if (server.kind === 'built-in' || server.scenarios === undefined) return server;
		return { ...server, scenarios: expandGroups(server.scenarios, ownScenarios(file), catalogue, auto) };
	});
}

function namesOfServer(server: ServerSpec): readonly string[] {
	return server.kind === 'custom' && server.scenarios ? server.scenarios : [DEFAULT_GROUP];
}

function ownScenarios(file: ConfigFile | null): Scenario[] {
	return (file?.scenarios ?? []).filter((scenario): scenario is Scenario => typeof scenario !== 'string');
}

/** `all` includes the file's own scenarios. */
function expandGroups(
	names: readonly string[],
	configScenarios: readonly Scenario[],
	catalogue: Catalogue,
	auto: readonly string[],
): string[] {
	const expanded = names.flatMap((name) => {
		if (name === AUTO) return auto;
		const members = scenariosOfGroup(name, catalogue) ?? [name];
		return name === 'all' ? [...configScenarios.map((scenario) => scenario.name), ...members] : members;
	});
	return [...new Set(expanded)];
}

/**
 * Returns the servers of the flag, else the file, else built-in ones that depend on the subject. Complains about
 * unknown names. Throws UserError when there is nothing to load.
 */
export function selectServers(
	named: readonly string[] | undefined,
	file: ConfigFile | null,
	catalogue: Catalogue,
	subjectName: string | undefined,
	complain: Complain,
): ServerSpec[] {
	const customServers = (file?.servers ?? []).filter((server): server is CustomServer => typeof server !== 'string');
	const choices = [...customServers, ...catalogue.servers].map(({ name }) => name);
	const find = (name: string): ServerSpec[] => {
		const custom = customServers.find((server) => server.name === name);
		if (custom) return [custom];
		const builtin = catalogue.servers.find((server) => server.name === name);
		if (builtin) return [{ kind: 'built-in', name, ...(builtin.without && { without: builtin.without }) }];
		complain('server', `"${name}" is not a server${didYouMean(name, choices)}`);
		return [];
	};
	const names = named ?? file?.servers?.map((server) => (typeof server === 'string' ? server : server.name));
	return (names ?? dependents(file, catalogue, subjectName)).flatMap(find);
}

function dependents(file: ConfigFile | null, catalogue: Catalogue, subjectName: string | undefined): string[] {
	const serverNames = serversUsing(subjectName ?? '', catalogue);
	if (serverNames.length > 0) return serverNames;
	const lacks = file === null ? 'there is no benchgate.yml here' : 'the config names none';
	const reason = subjectName === undefined ? '' : `, and no built-in server uses ${subjectName}`;
	throw new UserError({
		code: 'no-servers',
		...(file && { where: file.file }),
		message: `no server to load: ${lacks}${reason}`,
		remedy:
			file === null
				? 'write a config with benchgate init, or choose a built-in server with --server NAME (benchgate list shows them)'
				: 'write under "servers" how yours is started (benchgate init writes the lines as comments where it does not know), or name a built-in one: benchgate list',
	});
}

/**
 * Returns replacement packages by npm name, from the flag, else the file. A server's name means the package it is
 * about. Complains about a flag that changes no chosen server. Drops the file's packages that no chosen server has.
 * Throws UserError for one that no server has.
 */
export function selectPackages(
	flag: readonly PackageOverride[] | undefined,
	file: ConfigFile | null,
	catalogue: Catalogue,
	chosen: readonly ServerSpec[],
	complain: Complain,
): readonly PackageOverride[] {
	const isChosen = ({ name }: CatalogueServer) =>
		chosen.some((server) => server.kind === 'built-in' && server.name === name);
	const isRun = ({ name }: PackageOverride) =>
		catalogue.servers.some((each) => isChosen(each) && hasPackage(each, name));
	if (flag !== undefined) {
		const named = flag.map((item) => asPackage(item, catalogue));
		for (const { name } of named.filter((item) => !isRun(item))) {
			complain('package', `no chosen built-in server has the package ${name}${hint(name, catalogue)}`);
		}
		return named;
	}
	const listed = (file?.package ?? []).map((item) => asPackage(item, catalogue));
	const unknown = listed.find(({ name }) => !catalogue.servers.some((each) => hasPackage(each, name)));
	if (file !== null && unknown !== undefined) throw unknownPackage(unknown.name, file, catalogue);
	return listed.filter(isRun);
}

/** Replaces a server's name by the package that the server is about, unless a package has that name. */
function asPackage(item: PackageOverride, catalogue: Catalogue): PackageOverride {
	const server = catalogue.servers.find(({ name }) => name === item.name);
	const isPackage = catalogue.servers.some((each) => hasPackage(each, item.name));
	const name = (!isPackage && server && frameworkName(server)) || item.name;
	return { ...item, name };
}

function unknownPackage(name: string, file: ConfigFile, catalogue: Catalogue): UserError {
	return new UserError({
		code: 'bad-config',
		where: file.file,
		message: `packages: no built-in server has the package ${name}${hint(name, catalogue)}`,
		remedy: 'a server of your own takes its packages from its own package.json',
	});
}

function hint(name: string, { servers }: Catalogue): string {
	const candidates = servers.flatMap((server) => [server.name, ...server.dependencies, ...(server.unserved ?? [])]);
	const nearest = suggest(name, candidates);
	return nearest === undefined || nearest === name ? '' : `; did you mean "${nearest}"?`;
}

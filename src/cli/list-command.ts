import satisfies from 'semver/functions/satisfies.js';
import {
	inProcessServers,
	isHosted,
	socketOnlyServers,
	unclusteredServers,
	unwatchedServers,
} from '../config/answered-scenarios.ts';
import { type Catalogue, type CatalogueServer, frameworkName, remarksOf } from '../config/catalogue.ts';
import { loadCatalogue } from '../config/load-catalogue.ts';
import { packagesOfRows, type RunningRow, rowsRunning } from '../config/scenario-runs.ts';
import { findUnmetNeed, findUnserved, type MachineAtHand } from '../config/server-needs.ts';
import { suggest } from '../config/suggest.ts';
import { findNode, nodeVersion } from '../measure/machine.ts';
import { TOOL_ROOT } from '../process/entries.ts';
import { glibcVersion, missingPrograms } from '../process/programs.ts';
import { alignColumns } from '../text/wrap.ts';
import type { Scenario } from '../types/config.ts';
import { UserError } from '../types/errors.ts';

export interface ListFlags {
	readonly runs?: string;
}

export async function runListCommand({ runs }: ListFlags): Promise<void> {
	if (runs !== undefined) {
		process.stdout.write(`${renderRunning(runs, rowsRunning(runs))}\n`);
		return;
	}
	const catalogue = await loadCatalogue(TOOL_ROOT);
	process.stdout.write(`${renderList(catalogue, describeMachine(catalogue))}\n`);
}

function describeMachine({ servers }: Catalogue): MachineAtHand {
	const programs = servers.flatMap((server) => server.programs ?? []);
	return {
		node: versionAtHand(),
		glibc: glibcVersion(),
		missing: missingPrograms(programs),
		satisfies,
	};
}

/** Listing must work even if there is no Node to run servers. */
function versionAtHand(): string {
	try {
		return nodeVersion(findNode(undefined));
	} catch {
		return process.versions.node;
	}
}

export function renderList(catalogue: Catalogue, machine: MachineAtHand): string {
	return [
		'Servers',
		...alignColumns(catalogue.servers.map((server) => [server.name, frameworkOf(server), server.description])),
		'',
		'Scenarios',
		...alignColumns(catalogue.scenarios.map(describeScenario)),
		...describeLeftOut(catalogue),
		...describeRemarks(catalogue),
		...describeHosting(catalogue),
		...describeUnsupported(catalogue.servers, machine),
		...describeNotInstalled(catalogue.servers),
		'',
	].join('\n');
}

function renderRunning(packageName: string, rows: readonly RunningRow[]): string {
	if (rows.length === 0) throw notRun(packageName);
	const byScenario = Map.groupBy(rows, ({ scenario }) => scenario);
	const lines = [...byScenario].map(([scenario, same]) => [scenario, same.map(({ server }) => server).join(', ')]);
	const title = `Scenarios that run functions of ${packageName}, with the servers on which they do`;
	return [title, ...alignColumns(lines.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)))].join('\n');
}

function notRun(name: string): UserError {
	const nearest = suggest(name, [...packagesOfRows()]);
	return new UserError({
		code: 'not-run',
		where: `--runs ${name}`,
		message: `no built-in scenario runs a function of ${name} on any built-in server`,
		remedy:
			nearest !== undefined && nearest !== name
				? `did you mean "${nearest}"?`
				: 'write a scenario or a server of your own that does (docs/scenarios.md, docs/servers.md)',
	});
}

/** Leaves out hosted scenarios, because they have their own list. */
function describeLeftOut({ servers, scenarios }: Catalogue): string[] {
	const listed = scenarios.filter((scenario) => !isHosted(scenario));
	const rows = servers.flatMap(({ name, without = {} }) =>
		foldGroups(without, listed).map(([scenario, reason]) => [`${name}/${scenario}`, reason]),
	);
	return rows.length === 0 ? [] : ['', 'Left out: these servers do not answer these scenarios', ...alignColumns(rows)];
}

/** What is left out, with a group in place of all its scenarios. */
function foldGroups(
	without: Readonly<Record<string, string>>,
	scenarios: readonly Scenario[],
): readonly (readonly [string, string])[] {
	let entries = Object.entries(without).filter(([name]) => scenarios.some((scenario) => scenario.name === name));
	for (const group of new Set(scenarios.flatMap(({ groups }) => groups))) {
		const members = scenarios.filter(({ groups }) => groups.includes(group)).map(({ name }) => name);
		const [reason, ...others] = new Set(members.map((name) => without[name]));
		if (reason === undefined || others.length > 0) continue;
		entries = [...entries.filter(([name]) => !members.includes(name)), [group, reason]];
	}
	return entries;
}

function describeRemarks(catalogue: Catalogue): string[] {
	const rows = catalogue.servers.flatMap((server) =>
		Object.entries(remarksOf(server, catalogue)).map(([scenario, remark]) => [`${server.name}/${scenario}`, remark]),
	);
	return rows.length === 0 ? [] : ['', 'Remarks: what explains figures of these servers', ...alignColumns(rows)];
}

function describeHosting(catalogue: Catalogue): string[] {
	if (!catalogue.scenarios.some(isHosted)) return [];
	const block = (title: string, rows: readonly (readonly string[])[]) =>
		rows.length === 0 ? [] : ['', title, ...alignColumns(rows.map((row) => [...row]))];
	return [
		...block('In process: these servers can be asked without a socket, in this way', inProcessServers(catalogue)),
		...block('Through a socket alone: these servers leave out inprocess-* scenarios', socketOnlyServers(catalogue)),
		...block('Not in worker processes: these servers leave out cluster-* scenarios', unclusteredServers(catalogue)),
		...block('Not under node --watch: these servers leave out hot-reload', unwatchedServers(catalogue)),
	];
}

function describeUnsupported(servers: Catalogue['servers'], machine: MachineAtHand): string[] {
	const rows = servers.flatMap((server) => {
		const unmet = findUnmetNeed(server, machine);
		return unmet === null ? [] : [[server.name, `${unmet.reason}: ${unmet.remedy}`]];
	});
	return rows.length === 0 ? [] : ['', 'Not supported here', ...alignColumns(rows)];
}

function describeNotInstalled(servers: Catalogue['servers']): string[] {
	const rows = servers.flatMap((server) => {
		const obstacle = findUnserved(server);
		return obstacle === null ? [] : [[server.name, `${obstacle.reason}: ${obstacle.remedy}`]];
	});
	return rows.length === 0
		? []
		: ['', 'Not installed: give these servers the packages your registry lacks', ...alignColumns(rows)];
}

function frameworkOf(server: CatalogueServer): string {
	const framework = frameworkName(server);
	return framework === undefined ? '' : `${framework} ${server.versions?.[framework] ?? ''}`;
}

function describeScenario({ name, request, groups, description }: Scenario): string[] {
	return [name, `${request.method} ${request.path}`, ['all', ...groups].join(', '), description];
}

import type { Catalogue, CatalogueServer } from '../config/catalogue.ts';
import { findUnmetNeed, type MachineAtHand } from '../config/servers/server-needs.ts';
import { alignColumns } from '../text/align-columns.ts';
import type { Scenario } from '../types/config.ts';

/**
 * Returns what `benchgate list` prints: servers and scenarios, one line each, in aligned columns, what servers leave out, and
 * which of them cannot run on this machine.
 */
export function renderList(catalogue: Catalogue, machine: MachineAtHand): string {
	return [
		'Servers',
		...alignColumns(catalogue.servers.map((server) => [server.name, frameworkOf(server), server.description])),
		'',
		'Scenarios',
		...alignColumns(catalogue.scenarios.map(describeScenario)),
		...describeLeftOut(catalogue.servers),
		...describeUnsupported(catalogue.servers, machine),
		'',
	].join('\n');
}

function describeLeftOut(servers: Catalogue['servers']): string[] {
	const rows = servers.flatMap(({ name, without = {} }) =>
		Object.entries(without).map(([scenario, reason]) => [`${name}/${scenario}`, reason]),
	);
	return rows.length === 0 ? [] : ['', 'Left out: these servers do not answer these scenarios', ...alignColumns(rows)];
}

function describeUnsupported(servers: Catalogue['servers'], machine: MachineAtHand): string[] {
	const rows = servers.flatMap((server) => {
		const unmet = findUnmetNeed(server, machine);
		return unmet === null ? [] : [[server.name, `${unmet.reason}: ${unmet.remedy}`]];
	});
	return rows.length === 0 ? [] : ['', 'Not supported here', ...alignColumns(rows)];
}

/** Returns name and version of the package a server is about: what it says, else the one it is named after; empty when there is none. */
export function frameworkOf({ name, about = [], versions = {} }: CatalogueServer): string {
	const framework = [...about, name, `@${name}/core`].find((candidate) => candidate in versions);
	return framework === undefined ? '' : `${framework} ${versions[framework]}`;
}

function describeScenario({ name, request, groups, description }: Scenario): string[] {
	return [name, `${request.method} ${request.path}`, ['all', ...groups].join(', '), description];
}

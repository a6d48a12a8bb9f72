import type { Catalogue, CatalogueServer } from '../config/catalogue.ts';
import { alignColumns } from '../text/align-columns.ts';
import type { Scenario } from '../types/config.ts';

/** Returns what `benchgate list` prints: servers and scenarios, one line each, in aligned columns, and what servers leave out. */
export function renderList(catalogue: Catalogue): string {
	return [
		'Servers',
		...alignColumns(catalogue.servers.map((server) => [server.name, frameworkOf(server), server.description])),
		'',
		'Scenarios',
		...alignColumns(catalogue.scenarios.map(describeScenario)),
		...describeLeftOut(catalogue.servers),
		'',
	].join('\n');
}

function describeLeftOut(servers: Catalogue['servers']): string[] {
	const rows = servers.flatMap(({ name, without = {} }) =>
		Object.entries(without).map(([scenario, reason]) => [`${name}/${scenario}`, reason]),
	);
	return rows.length === 0 ? [] : ['', 'Left out: these servers do not answer these scenarios', ...alignColumns(rows)];
}

/** Returns name and version of the package a server is about: the one it is named after; empty when there is none. */
export function frameworkOf({ name, versions = {} }: CatalogueServer): string {
	const framework = [name, `@${name}/core`].find((candidate) => candidate in versions);
	return framework === undefined ? '' : `${framework} ${versions[framework]}`;
}

function describeScenario({ name, request, groups, description }: Scenario): string[] {
	return [name, `${request.method} ${request.path}`, ['all', ...groups].join(', '), description];
}

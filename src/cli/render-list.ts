import type { Catalogue, CatalogueServer } from '../config/catalogue.ts';
import type { Scenario } from '../types/config.ts';

/** Returns what `benchgate list` prints: servers and scenarios, one line each, in aligned columns. */
export function renderList(catalogue: Catalogue): string {
	return [
		'Servers',
		...alignColumns(catalogue.servers.map((server) => [server.name, frameworkOf(server), server.description])),
		'',
		'Scenarios',
		...alignColumns(catalogue.scenarios.map(describeScenario)),
		'',
	].join('\n');
}

/** Returns name and version of the package a server is about: the one it is named after; empty when there is none. */
export function frameworkOf({ name, versions = {} }: CatalogueServer): string {
	const framework = [name, `@${name}/core`].find((candidate) => candidate in versions);
	return framework === undefined ? '' : `${framework} ${versions[framework]}`;
}

function describeScenario({ name, request, groups, description }: Scenario): string[] {
	return [name, `${request.method} ${request.path}`, ['all', ...groups].join(', '), description];
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
	return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

/** Facts from the catalogue for the page of published ratios. */
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { takesRuntime } from '../../src/config/ranking/runtime-entries.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const CATALOGUE = await loadCatalogue(TOOL_ROOT);

/** Returns the packages of a built-in server that some registries lack. */
export function unservedOf(server: string): readonly string[] {
	return CATALOGUE.servers.find(({ name }) => name === server)?.unserved ?? [];
}

/** Returns whether a built-in server runs on Node. */
export function runsOnNode(server: string): boolean {
	return takesRuntime({ kind: 'built-in', name: server }, CATALOGUE);
}

/** Returns the numbers of connections of a ramp's steps; empty for other scenarios. */
export function stepsOf(scenario: string): readonly number[] {
	return CATALOGUE.scenarios.find(({ name }) => name === scenario)?.ramp ?? [];
}

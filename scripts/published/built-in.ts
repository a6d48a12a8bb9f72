/** The catalogue as the page of published ratios needs it: what servers and scenarios state of themselves is said nowhere else. */
import { loadCatalogue } from '../../src/config/load-catalogue.ts';
import { takesRuntime } from '../../src/config/ranking/runtime-entries.ts';
import { TOOL_ROOT } from '../../src/process/entries.ts';

const CATALOGUE = await loadCatalogue(TOOL_ROOT);

/** Returns the packages of a built-in server that not every registry has. */
export function unservedOf(server: string): readonly string[] {
	return CATALOGUE.servers.find(({ name }) => name === server)?.unserved ?? [];
}

/** Returns whether the version of Node says something about a built-in server. */
export function runsOnNode(server: string): boolean {
	return takesRuntime({ kind: 'built-in', name: server }, CATALOGUE);
}

/** Returns how many connections the steps of a scenario have; none where it is no ramp. */
export function stepsOf(scenario: string): readonly number[] {
	return CATALOGUE.scenarios.find(({ name }) => name === scenario)?.ramp ?? [];
}

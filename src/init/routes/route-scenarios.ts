/** The routes of a program as scenarios of a config. */
import { SAFE_METHODS, type ScenarioLines, writeScenarioLines } from '../scenario-lines.ts';
import { chooseName } from '../scenario-name.ts';
import { isOpen } from './find-routes.ts';

/** Routes that are measured: what a first run decides within its budget. */
const MOST_ASKED = 4;

/**
 * Returns the routes as scenarios that ask each with GET; those with a parameter are comments. `health` is what machines ask, and
 * is measured only where there is nothing else. `taken` are names that a scenario cannot have.
 */
export function routeScenarios(
	routes: readonly string[],
	health: string | null,
	taken: readonly string[],
	source: string,
): ScenarioLines {
	const names = new Set(taken);
	const people = routes.filter((route) => route !== health);
	const asked = people.some((route) => !isOpen(route)) ? people : routes;
	// Each parameter that somebody has to fill in is a row less for those who do not.
	const sorted = asked.toSorted((one, other) => Number(isOpen(one)) - Number(isOpen(other)));
	const scenarios = sorted.map((route) => ({
		operation: `GET ${route}`,
		name: chooseName(route, 'home', names),
		request: { path: route },
		status: 200,
		lacks: isOpen(route) ? 'put a value in its path' : null,
	}));
	return writeScenarioLines(scenarios, SAFE_METHODS, source, MOST_ASKED);
}

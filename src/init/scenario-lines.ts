import { stringify } from 'yaml';
import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { chooseName } from './config-parts.ts';
import { isOpen } from './find-routes.ts';
import type { OperationScenario } from './openapi/list-scenarios.ts';

/** A first run decides this many within its budget. */
export const MOST_ASKED = 4;

export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/** More exceed the budget of a first run. */
const MOST_OPERATIONS = 8;
const MOST_LISTED = 40;

/** The block `scenarios:` of a config. */
export interface ScenarioLines {
	/** Ends with a line feed. If no scenario is usable, the whole text is a comment. */
	readonly text: string;
	readonly asked: readonly string[];
	/** Comments among them. */
	readonly all: readonly OperationScenario[];
}

/** Scenarios with other methods, missing values, or beyond the limit become comments with a reason. */
export function writeScenarioLines(
	scenarios: readonly OperationScenario[],
	methods: readonly string[],
	source: string,
	mostAsked = MOST_OPERATIONS,
): ScenarioLines {
	const activeNames: string[] = [];
	const lines = scenarios.slice(0, MOST_LISTED).flatMap((scenario) => {
		const { request, lacks, name } = scenario;
		const { method = 'GET' } = request;
		const named = methods.includes(method);
		const why =
			lacks ??
			(named
				? activeNames.length === mostAsked
					? 'take away the # to measure it too'
					: null
				: `take away the # to measure it, or run init with --methods ${method}`);
		if (why === null) activeNames.push(name);
		return linesOf(scenario, why);
	});
	const unlistedCount = scenarios.length - MOST_LISTED;
	const more = unlistedCount > 0 ? [`  # ${unlistedCount} more are left out here.`] : [];
	const head = activeNames.length === 0 ? '# scenarios:' : 'scenarios:';
	const note = `  # From ${plainText(source, NAME_LIMIT)}. Wrong answers are never counted as fast: add to expect what a right one contains, such as json.`;
	return { text: [head, note, ...lines, ...more, ''].join('\n'), asked: activeNames, all: scenarios };
}

function linesOf({ operation, name, request, status }: OperationScenario, why: string | null): readonly string[] {
	const title = plainText(operation, 2 * NAME_LIMIT);
	const lines = [`- name: ${stringify(name).trim()}`, `  request: ${flow(request)}`, `  expect: { status: ${status} }`];
	if (why === null) return [`  # ${title}`, ...lines.map((line) => `  ${line}`)];
	return [`  # ${title}: ${plainText(why, 4 * NAME_LIMIT)}`, ...lines.map((line) => `  # ${line}`)];
}

function flow(value: unknown): string {
	const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, defaultStringType: 'PLAIN' }).trim();
	return text.includes('\n') ? JSON.stringify(value) : text;
}

/**
 * Writes routes as GET scenarios; those with parameters become comments. `health` is for machines, so it is measured
 * only if no other route is usable. `taken` are reserved names.
 */
export function routeScenarios(
	routes: readonly string[],
	health: string | null,
	taken: readonly string[],
): readonly OperationScenario[] {
	const names = new Set(taken);
	const people = routes.filter((route) => route !== health);
	const chosenRoutes = people.some((route) => !isOpen(route)) ? people : routes;
	const sorted = chosenRoutes.toSorted((one, other) => Number(isOpen(one)) - Number(isOpen(other)));
	return sorted.map((route) => ({
		operation: `GET ${route}`,
		name: chooseName(route, 'home', names),
		request: { path: route },
		status: 200,
		lacks: isOpen(route) ? 'put a value in its path' : null,
	}));
}

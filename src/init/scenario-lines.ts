/** Scenarios that were found, in an OpenAPI document or in code, as lines of a config. */
import { stringify } from 'yaml';
import { NAME_LIMIT, plainText } from '../text/escape.ts';
import { chooseName } from './config-parts.ts';
import { isOpen } from './find-routes.ts';
import type { OperationScenario } from './openapi/list-scenarios.ts';

/** Routes that are measured: what a first run decides within its budget. */
const MOST_ASKED = 4;

/** Methods that change nothing. */
export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Operations of a document that are measured: more rows need a budget that a first run has not got. */
const MOST_OPERATIONS = 8;
/** A config is to be read; beyond that the document is the list. */
const MOST_LISTED = 40;

/** The block `scenarios:` of a config, and what became of the operations. */
export interface ScenarioLines {
	/** With a line feed at its end. Without any scenario that can be asked it is a comment as a whole. */
	readonly text: string;
	/** Names of the scenarios that are no comments. */
	readonly asked: readonly string[];
}

/**
 * Returns the scenarios as they stand in a config. Those whose method is not among `methods`, that lack something, or that are too
 * many for a first run are comments, each with the reason.
 */
export function writeScenarioLines(
	scenarios: readonly OperationScenario[],
	methods: readonly string[],
	source: string,
	mostAsked = MOST_OPERATIONS,
): ScenarioLines {
	const asked: string[] = [];
	const lines = scenarios.slice(0, MOST_LISTED).flatMap((scenario) => {
		const { request, lacks, name } = scenario;
		const { method = 'GET' } = request;
		const named = methods.includes(method);
		const why =
			lacks ??
			(named
				? asked.length === mostAsked
					? 'take away the # to measure it too'
					: null
				: `take away the # to measure it, or run init with --methods ${method}`);
		if (why === null) asked.push(name);
		return linesOf(scenario, why);
	});
	const left = scenarios.length - MOST_LISTED;
	const more = left > 0 ? [`  # ${left} more are left out here.`] : [];
	const head = asked.length === 0 ? '# scenarios:' : 'scenarios:';
	const note = `  # From ${plainText(source, NAME_LIMIT)}. Wrong answers are never counted as fast: say more in expect, such as json.`;
	return { text: [head, note, ...lines, ...more, ''].join('\n'), asked };
}

function linesOf({ operation, name, request, status }: OperationScenario, why: string | null): readonly string[] {
	const title = plainText(operation, 2 * NAME_LIMIT);
	const lines = [`- name: ${stringify(name).trim()}`, `  request: ${flow(request)}`, `  expect: { status: ${status} }`];
	if (why === null) return [`  # ${title}`, ...lines.map((line) => `  ${line}`)];
	return [`  # ${title}: ${plainText(why, 4 * NAME_LIMIT)}`, ...lines.map((line) => `  # ${line}`)];
}

/** On one line, however long. */
function flow(value: unknown): string {
	const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, defaultStringType: 'PLAIN' }).trim();
	return text.includes('\n') ? JSON.stringify(value) : text;
}

// The routes of a program as scenarios of a config.

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

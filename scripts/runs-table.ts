/** Turns coverage of built-in rows into scenarios/runs.json and the table of docs/scenarios.md. */
import { rowsRunning, type ScenarioRuns } from '../src/config/scenario-runs.ts';

const BEGIN = '<!-- runs -->';
const TITLE = 'Scenarios that run it';
const END = '<!-- /runs -->';
/** For packages that run only at start. */
export const AT_START = 'startup';

type Groups = Readonly<Record<string, readonly string[]>>;

/** Packages by server and scenario. */
export type MeasuredRuns = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Returns `runs` with the measured servers replaced. Packages with equal scenarios share an entry. */
export function mergeRuns(runs: ScenarioRuns, measured: MeasuredRuns): ScenarioRuns {
	const all = new Map([
		...Object.entries(runs),
		...[...measured].map(([server, rows]) => [server, group(rows)] as const),
	]);
	return Object.fromEntries([...all].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function group(rows: ReadonlyMap<string, readonly string[]>): ScenarioRuns[string] {
	const scenarios = new Map<string, string[]>();
	for (const [scenario, packages] of rows)
		for (const name of packages) scenarios.set(name, [...(scenarios.get(name) ?? []), scenario]);
	const groups = Map.groupBy([...scenarios.keys()].toSorted(), (name) => scenarios.get(name)?.join(' ') ?? '');
	return [...groups].map(([key, packages]) => ({ packages, scenarios: key.split(' ') }));
}

/**
 * Returns the page with a table of packages and the scenarios that run them on some server. `all` are the names of all
 * measured scenarios; `groups` are written as one name.
 */
export function fillRuns(
	page: string,
	runs: ScenarioRuns,
	packages: readonly string[],
	all: readonly string[],
	groups: Groups = {},
): string {
	const begin = page.indexOf(BEGIN);
	const end = page.indexOf(END);
	if (begin < 0 || end < begin) throw new Error(`the page has no ${BEGIN} before ${END}`);
	const rows = packages.map((name) => {
		const rows = rowsRunning(name, runs);
		const scenarios = all.filter((scenario) => rows.some((row) => row.scenario === scenario));
		const words = scenarios.length === 0 && rows.length > 0 ? `\`${AT_START}\`` : nameScenarios(scenarios, all, groups);
		return [`\`${name}\``, words] as const;
	});
	const width = Math.max(...rows.map(([name]) => name.length));
	const words = Math.max(TITLE.length, ...rows.map(([, text]) => text.length));
	const line = (one: string, other: string, by = ' ') => `| ${one.padEnd(width, by)} | ${other.padEnd(words, by)} |`;
	const table = [line('Package', TITLE), line('', '', '-'), ...rows.map(([one, other]) => line(one, other))];
	return `${page.slice(0, begin + BEGIN.length)}\n\n${table.join('\n')}\n\n${page.slice(end)}`;
}

function nameScenarios(scenarios: readonly string[], all: readonly string[], groups: Groups): string {
	const others = all.filter((name) => !scenarios.includes(name));
	const list = (names: readonly string[]) => {
		const whole = Object.entries(groups).filter(([, members]) => members.every((member) => names.includes(member)));
		const singles = names.filter((name) => !whole.some(([, members]) => members.includes(name)));
		return [...whole.map(([group]) => `those of \`${group}\``), ...singles.map((name) => `\`${name}\``)].join(', ');
	};
	if (scenarios.length === 0) return 'none';
	if (others.length === 0) return 'all';
	return others.length < scenarios.length ? `all but ${list(others)}` : list(scenarios);
}

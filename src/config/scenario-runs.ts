/** Packages that built-in rows run under load, measured by `npm run docs:runs`. */
import RUNS from '../../scenarios/runs.json' with { type: 'json' };

export interface RunningRow {
	readonly server: string;
	readonly scenario: string;
}

/** By server. */
export type ScenarioRuns = Readonly<
	Record<string, readonly { readonly packages: readonly string[]; readonly scenarios: readonly string[] }[]>
>;

/** Returns the built-in rows that run a package, by server. */
export function rowsRunning(packageName: string, runs: ScenarioRuns = RUNS): readonly RunningRow[] {
	return Object.entries(runs).flatMap(([server, groups]) =>
		groups
			.filter(({ packages }) => packages.includes(packageName))
			.flatMap(({ scenarios }) => scenarios.map((scenario) => ({ server, scenario }))),
	);
}

/** Returns all packages of rows, in alphabetical order. */
export function packagesOfRows(runs: ScenarioRuns = RUNS): readonly string[] {
	const names = Object.values(runs).flatMap((groups) => groups.flatMap(({ packages }) => packages));
	return [...new Set(names)].toSorted();
}

import { countHeld } from '../config/row-costs.ts';
import { formatDuration } from '../text/numbers.ts';
import { nameAll } from '../text/phrase.ts';
import type { Config } from '../types/config.ts';
import type { Warning } from '../types/units.ts';

const MOST_NAMED = 5;

/** Returns the config with all scenarios of `auto`, for a run that finds which ones a change affects. */
export function withSpare(config: Config): Config {
	const { spare, scenarios } = config;
	return spare === undefined ? config : { ...config, scenarios: [...scenarios, ...spare.others] };
}

export interface HeldConfig {
	readonly config: Config;
	/** Names scenarios left out. */
	readonly warning: Warning | null;
}

/**
 * Returns a config with as many scenarios of `auto` as the budget holds, in their order. `affected`: cells to choose
 * from, of a config of `withSpare`; null if they are unknown.
 */
export function holdSpare(config: Config, affected: readonly string[] | null): HeldConfig {
	const { spare } = config;
	if (spare === undefined) return { config, warning: null };
	const all = [...spare.chosen, ...spare.others.map(({ name }) => name)];
	const rowsOf = (name: string) => affected?.filter((cell) => cell.endsWith(`/${name}`)).length ?? 0;
	const counted = all.map((scenario) => ({ scenario, rows: rowsOf(scenario) })).filter(({ rows }) => rows > 0);
	const left =
		affected === null
			? all.slice(spare.chosen.length)
			: counted.slice(countHeld(counted, config.budgetSeconds)).map(({ scenario }) => scenario);
	if (left.length === 0) return { config, warning: null };
	const run = affected === null ? 'belong to "auto"' : 'may run changed code';
	const message = `More scenarios ${run} than the budget of ${formatDuration(config.budgetSeconds)} holds, and were not measured: ${nameAll(left, MOST_NAMED)}. Raise the budget, or name them in scenarios.`;
	return {
		config: { ...config, scenarios: config.scenarios.filter(({ name }) => !left.includes(name)) },
		warning: { code: 'scenarios-beyond-budget', message },
	};
}

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
	const isAffected = (name: string) => affected?.some((cell) => cell.endsWith(`/${name}`)) ?? true;
	const auto = [...spare.chosen, ...spare.others.map(({ name }) => name)].filter(isAffected);
	const left = auto.slice(spare.chosen.length);
	if (left.length === 0) return { config, warning: null };
	const run = affected === null ? 'belong to "auto"' : 'may run changed code';
	const message = `More scenarios ${run} than the budget of ${formatDuration(config.budgetSeconds)} holds, and were not measured: ${nameAll(left, MOST_NAMED)}. Raise the budget, or name them in scenarios.`;
	return {
		config: { ...config, scenarios: config.scenarios.filter(({ name }) => !left.includes(name)) },
		warning: { code: 'scenarios-beyond-budget', message },
	};
}

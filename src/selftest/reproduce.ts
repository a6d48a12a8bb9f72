import { formatDuration, formatPercentage } from '../config/durations.ts';
import type { Config } from '../types/config.ts';

/** Returns the command that repeats a selftest with this config. */
export function describeSelftestCommand(config: Config): string {
	const words = [
		['--server', config.servers.map(({ name }) => name).join(',')],
		['--scenario', config.scenarios.map(({ name }) => name).join(',')],
		['--threshold', formatPercentage(config.threshold)],
		['--tolerance', formatPercentage(config.tolerance)],
		['--budget', formatDuration(config.budgetSeconds)],
		['--seed', String(config.seed)],
	];
	return ['npx benchgate selftest', ...words.flat()].join(' ');
}

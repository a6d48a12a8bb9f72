import { shellWord } from '../text/shell-word.ts';
import type { Config } from '../types/config.ts';
import { formatDuration, formatPercentage } from './durations.ts';

/** Returns the command that repeats a selftest with this config; `node` as given by the flag, if it was. */
export function describeSelftestCommand(config: Config, node?: string): string {
	const words = [
		['--server', config.servers.map(({ name }) => name).join(',')],
		['--scenario', config.scenarios.map(({ name }) => name).join(',')],
		['--threshold', formatPercentage(config.threshold)],
		['--tolerance', formatPercentage(config.tolerance)],
		['--budget', formatDuration(config.budgetSeconds)],
		['--seed', String(config.seed)],
		...(node === undefined ? [] : [['--node', shellWord(node)]]),
	];
	return ['npx benchgate selftest', ...words.flat()].join(' ');
}

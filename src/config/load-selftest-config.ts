import { randomInt } from 'node:crypto';
import { TOOL_ROOT } from '../process/entries.ts';
import type { Config } from '../types/config.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { type Flags, resolveConfig } from './resolve-config.ts';

/** What holds unless a flag says otherwise. */
const BUDGET = '20m';
const SCENARIO = 'param-json';
/** Most rounds of a trial: those of a comparison whose budget has no room to spare. */
const ROUNDS = '20';
/** Seeds are short enough to be typed again. */
const SEED_LIMIT = 2 ** 31;

/**
 * Returns the config of a selftest: the flags `server` (default: all built-in ones), `scenario`, `threshold`, `tolerance`,
 * `budget` and `seed`, over defaults. No `benchgate.yml` is read and every scenario has the same threshold: it is the machine
 * that is tested. Throws a UserError that names every unusable flag.
 */
export async function readSelftestConfig(flags: Flags): Promise<Config> {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const given = {
		...flags,
		server: flags.server?.trim() || catalogue.servers.map(({ name }) => name).join(','),
		scenario: flags.scenario?.trim() || SCENARIO,
		budget: flags.budget?.trim() || BUDGET,
		rounds: ROUNDS,
		design: undefined,
	};
	const config = resolveConfig(null, given, catalogue, () => randomInt(SEED_LIMIT));
	const scenarios = config.scenarios.map(({ threshold: _d1, tolerance: _d0, ...scenario }) => scenario);
	return { ...config, scenarios };
}

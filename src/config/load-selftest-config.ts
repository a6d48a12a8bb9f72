import { TOOL_ROOT } from '../process/entries.ts';
import type { Config } from '../types/config.ts';
import type { Catalogue } from './catalogue.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { drawSeed, type Request } from './load-request.ts';
import { withDefaults } from './option-names.ts';
import type { Flags } from './read-flags.ts';
import { repeatCommand } from './repeat-command.ts';
import { resolveConfig } from './resolve-config.ts';

/** Most rounds of a trial: those of a comparison whose budget has no room to spare. */
const ROUNDS = 20;

/**
 * Returns the request of a selftest: the flags it takes over its defaults. No `benchgate.yml` is read and every scenario has
 * the same threshold: it is the machine that is tested. Throws a UserError that names every unusable flag.
 */
export async function readSelftest(flags: Flags): Promise<Request> {
	const catalogue = await loadCatalogue(TOOL_ROOT);
	const config = resolveSelftest(flags, catalogue, drawSeed);
	const reproduce = repeatCommand({
		command: 'selftest',
		given: { node: flags.node },
		config,
		resolve: (texts) => resolveSelftest(texts, catalogue, drawSeed),
	});
	return { config, reproduce };
}

function resolveSelftest(flags: Flags, catalogue: Catalogue, draw: () => number): Config {
	const texts = withDefaults('selftest', flags);
	const server = texts.server ?? catalogue.servers.map(({ name }) => name).join(',');
	const config = resolveConfig(null, { ...texts, server, spelling: flags.spelling }, catalogue, draw);
	const scenarios = config.scenarios.map(({ threshold: _d1, tolerance: _d0, ...scenario }) => scenario);
	return { ...config, scenarios, rounds: ROUNDS };
}

import type { Catalogue } from '../../config/catalogue.ts';
import type { ConfigFile } from '../../config/file/config-file.ts';
import { repeatCommand } from '../../config/repeat-command.ts';
import { resolveConfig } from '../../config/resolve-config.ts';
import type { SideCells } from '../../plan/plan-cells.ts';
import type { Config } from '../../types/config.ts';
import { SIDES, type Sides } from '../../types/units.ts';

/** A comparison as the action resolved it. */
export interface ResolvedRun {
	readonly revisions: Sides<string>;
	/** What `--config` takes to read the config that holds; undefined when there is none. */
	readonly configFlag: string | undefined;
	readonly file: ConfigFile | null;
	readonly config: Config;
	readonly sideConfigs: Sides<readonly SideCells[]> | undefined;
	/** As the input gives it. */
	readonly node: string | undefined;
}

/**
 * Returns the command that measures the same in a clone of the repository. One config serves both sides there, so servers and
 * scenarios that only one side has are left out: they were not measured either.
 */
export function repeatRun(run: ResolvedRun, catalogue: Catalogue): string {
	const { revisions, configFlag, file, config, sideConfigs, node } = run;
	return repeatCommand({
		command: 'compare',
		given: { ...revisions, config: configFlag, node },
		config: sideConfigs === undefined ? config : { ...config, ...cellsOfBoth(config, sideConfigs) },
		resolve: (flags) => resolveConfig(file, flags, catalogue, () => config.seed),
	});
}

function cellsOfBoth(config: SideCells, sides: Sides<readonly SideCells[]>): SideCells {
	const onBoth = (key: keyof SideCells, name: string) =>
		SIDES.every((side) => sides[side].some((one) => one[key].some((own) => own.name === name)));
	return {
		servers: config.servers.filter(({ name }) => onBoth('servers', name)),
		scenarios: config.scenarios.filter(({ name }) => onBoth('scenarios', name)),
	};
}

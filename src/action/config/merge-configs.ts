import type { Catalogue } from '../../config/catalogue.ts';
import type { ConfigFile } from '../../config/file/config-file.ts';
import { drawSeed } from '../../config/load-request.ts';
import type { Flags } from '../../config/read-flags.ts';
import { resolveConfig } from '../../config/resolve-config.ts';
import type { SideCells } from '../../plan/plan-cells.ts';
import type { Config } from '../../types/config.ts';
import { isUserError } from '../../types/errors.ts';
import type { Side, Sides } from '../../types/units.ts';
import type { SideFiles } from './parse-sides.ts';

/** A config with servers and scenarios of both sides, and by whose word each side has them. */
export interface MergedConfig {
	readonly config: Config;
	readonly sideConfigs: Sides<readonly SideCells[]>;
	/** What each side's own config has. */
	readonly own: Sides<SideCells>;
}

/**
 * Returns the config of the side that holds, extended by the servers and scenarios only the other side has. Inputs hold for
 * both, and may name what only one of them defines. While base's holds, head has all that base's config has, whatever its own
 * says: a change cannot take away what would find it out.
 *
 * @throws UserError for inputs that fit neither, and for a config that is not valid with them.
 */
export function mergeConfigs(
	holding: Side,
	file: ConfigFile,
	other: ConfigFile,
	flags: Flags,
	catalogue: Catalogue,
): MergedConfig {
	const seed = drawSeed();
	const resolve = (own: ConfigFile, beside: ConfigFile) =>
		withoutForeign(
			resolveConfig(withNamed(own, beside, flags), flags, catalogue, () => seed),
			own,
		);
	const config = resolve(file, other);
	const beside = resolve(other, file);
	const union = <T extends { readonly name: string }>(mine: readonly T[], theirs: readonly T[]): T[] => [
		...mine,
		...theirs.filter(({ name }) => !mine.some((own) => own.name === name)),
	];
	const [base, head] = (holding === 'base' ? [config, beside] : [beside, config]).map(cellsOf) as [
		SideCells,
		SideCells,
	];
	return {
		config: {
			...config,
			servers: union(config.servers, beside.servers),
			scenarios: union(config.scenarios, beside.scenarios),
		},
		sideConfigs: { base: [base], head: holding === 'base' ? [base, head] : [head] },
		own: { base, head },
	};
}

/**
 * Returns what the config beside base's code has, where base's holds and is newer: null when that code has none, undefined when
 * it is the same or nobody can tell.
 */
export function cellsOfMergeBase(
	{ base, mergeBase, apart, holding }: SideFiles,
	flags: Flags,
	catalogue: Catalogue,
): SideCells | null | undefined {
	if (!apart || holding !== 'base' || base === null || mergeBase === undefined) return undefined;
	if (mergeBase === null) return null;
	try {
		return cellsOf(
			withoutForeign(resolveConfig(withNamed(mergeBase, base, flags), flags, catalogue, drawSeed), mergeBase),
		);
	} catch (error) {
		if (!isUserError(error)) throw error;
		return undefined;
	}
}

function cellsOf({ servers, scenarios }: SideCells): SideCells {
	return { servers, scenarios };
}

/** An input may name what only the other side's config defines: that is known too, though not this side's. */
function withNamed(own: ConfigFile, beside: ConfigFile, flags: Flags): ConfigFile {
	const lend = <T>(given: string | undefined, mine: readonly T[] | undefined, theirs: readonly T[] | undefined) =>
		given === undefined ? mine : [...(mine ?? []), ...(theirs ?? []).filter((item) => isForeign(item, mine))];
	const servers = lend(flags.server, own.servers, beside.servers);
	const scenarios = lend(flags.scenario, own.scenarios, beside.scenarios);
	return { ...own, ...(servers && { servers }), ...(scenarios && { scenarios }) };
}

/** Takes out again what was lent. */
function withoutForeign(config: Config, own: ConfigFile): Config {
	return {
		...config,
		servers: config.servers.filter((server) => server.kind === 'built-in' || !isForeign(server, own.servers)),
		scenarios: config.scenarios.filter(
			(scenario) => scenario.origin === 'built-in' || !isForeign(scenario, own.scenarios),
		),
	};
}

/** Whether an item defines something whose name the list does not have. */
function isForeign(item: unknown, list: readonly unknown[] = []): boolean {
	const nameOf = (one: unknown) => (typeof one === 'string' ? one : (one as { readonly name: string }).name);
	return typeof item !== 'string' && !list.some((one) => nameOf(one) === nameOf(item));
}

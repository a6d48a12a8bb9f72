import { isDeepStrictEqual } from 'node:util';
import type { Catalogue } from '../../config/catalogue.ts';
import type { ConfigFile } from '../../config/file/config-file.ts';
import { drawSeed } from '../../config/load-request.ts';
import { FILE_OPTIONS } from '../../config/option-names.ts';
import type { Flags } from '../../config/read-flags.ts';
import { resolveConfig } from '../../config/resolve-config.ts';
import type { SideCells } from '../../plan/plan-cells.ts';
import type { Config } from '../../types/config.ts';
import type { Side, Sides, Warning } from '../../types/units.ts';

/** Differences a warning names. */
const LISTED = 10;
/** What a config says once that is no option. */
const OTHER_KEYS = [
	{ name: 'prepare', key: 'prepare' },
	{ name: 'metrics', key: 'gate.metrics' },
] as const;

/** A config with servers and scenarios of both sides, and which of them each side's own config has. */
export interface MergedConfig {
	readonly config: Config;
	readonly sideConfigs: Sides<SideCells>;
}

/**
 * Returns the config of the side that holds, extended by the servers and scenarios only the other side has. Inputs hold for
 * both, and may name what only one of them defines.
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
	const [base, head] = holding === 'base' ? [config, beside] : [beside, config];
	return {
		config: {
			...config,
			servers: union(config.servers, beside.servers),
			scenarios: union(config.scenarios, beside.scenarios),
		},
		sideConfigs: { base: cellsOf(base), head: cellsOf(head) },
	};
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

/** Returns a warning that names what runs otherwise than the other side's config says; nothing when it says the same. */
export function describeDifferences(holding: Side, file: ConfigFile, other: ConfigFile): Warning[] {
	const keys = [...FILE_OPTIONS.map(([name, { file: key = name }]) => ({ name, key })), ...OTHER_KEYS].filter(
		({ name }) => !isDeepStrictEqual(file[name], other[name]),
	);
	const named = (items: ConfigFile['servers'] | ConfigFile['scenarios'], kind: string) =>
		(items ?? []).flatMap((item) => (typeof item === 'string' ? [] : [{ kind, item }]));
	const all = (one: ConfigFile) => [...named(one.servers, 'server'), ...named(one.scenarios, 'scenario')];
	const redefined = all(file).filter(({ kind, item }) =>
		all(other).some(
			(twin) => twin.kind === kind && twin.item.name === item.name && !isDeepStrictEqual(twin.item, item),
		),
	);
	const differing = [...keys.map(({ key }) => key), ...redefined.map(({ kind, item }) => `${kind} ${item.name}`)];
	if (differing.length === 0) return [];
	const more = differing.length > LISTED ? ` and ${differing.length - LISTED} more` : '';
	const remedy =
		holding === 'base'
			? ' They take effect once merged; a change that only works with its own config needs config-from: head.'
			: '';
	return [
		{
			code: 'config-differs',
			message: `Base and head configure differently: ${differing.slice(0, LISTED).join(', ')}${more}. The config of ${holding} holds on both sides.${remedy}`,
		},
	];
}

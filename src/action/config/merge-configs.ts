import type { Catalogue } from '../../config/catalogue.ts';
import { type ConfigFile, parseConfig } from '../../config/file/parse-config.ts';
import { drawSeed } from '../../config/load-request.ts';
import type { Flags } from '../../config/read-flags.ts';
import { resolveConfig } from '../../config/resolve-config.ts';
import type { SideCells } from '../../plan/plan-cells.ts';
import type { ConfigSource } from '../../types/action-run.ts';
import type { Config } from '../../types/config.ts';
import { isUserError, type UserError } from '../../types/errors.ts';
import type { Side, Sides, Warning } from '../../types/units.ts';
import type { FoundConfig, FoundConfigs } from './find-configs.ts';

export interface SideFiles extends Sides<ConfigFile | null> {
	/** Config at base's commit; null if it is missing, undefined if it is unknown. */
	readonly mergeBase: ConfigFile | null | undefined;
	/** `mergeBase` was read separately from `base`. */
	readonly apart: boolean;
	readonly holding: Side;
	/** The base branch has no valid config, and a change must not be judged by its own, so the run only informs. */
	readonly adopting: boolean;
	readonly warnings: readonly Warning[];
}

export interface MergedConfig {
	readonly config: Config;
	readonly sideConfigs: Sides<readonly SideCells[]>;
	readonly own: Sides<SideCells>;
}

/**
 * Returns the config that applies, plus cells that only the other side's has. If base's applies, head runs all its
 * cells, so a change cannot remove one.
 *
 * @throws UserError for inputs that fit neither config, and for an invalid config.
 */
export function mergeConfigs(
	holding: Side,
	file: ConfigFile,
	other: ConfigFile,
	flags: Flags,
	catalogue: Catalogue,
): MergedConfig {
	const seed = drawSeed();
	const resolve = (sideFile: ConfigFile, beside: ConfigFile) =>
		withoutForeign(
			resolveConfig(withNamed(sideFile, beside, flags), flags, catalogue, () => seed),
			sideFile,
		);
	const config = resolve(file, other);
	const beside = resolve(other, file);
	const union = <T extends { readonly name: string }>(mine: readonly T[], theirs: readonly T[]): T[] => [
		...mine,
		...theirs.filter(({ name }) => !mine.some((element) => element.name === name)),
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
 * Returns the cells of the config at base's commit, if base's config applies and is newer. Null if that commit has no
 * config; undefined if its config is equal or unknown.
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

/** Adds the other side's definitions, which inputs may name. */
function withNamed(file: ConfigFile, beside: ConfigFile, flags: Flags): ConfigFile {
	const lend = <T>(flagText: string | undefined, mine: readonly T[] | undefined, theirs: readonly T[] | undefined) =>
		flagText === undefined ? mine : [...(mine ?? []), ...(theirs ?? []).filter((item) => isForeign(item, mine))];
	const servers = lend(flags.server, file.servers, beside.servers);
	const scenarios = lend(flags.scenario, file.scenarios, beside.scenarios);
	return { ...file, ...(servers && { servers }), ...(scenarios && { scenarios }) };
}

function withoutForeign(config: Config, file: ConfigFile): Config {
	return {
		...config,
		servers: config.servers.filter((server) => server.kind === 'built-in' || !isForeign(server, file.servers)),
		scenarios: config.scenarios.filter(
			(scenario) => scenario.origin === 'built-in' || !isForeign(scenario, file.scenarios),
		),
	};
}

function isForeign(item: unknown, list: readonly unknown[] = []): boolean {
	const nameOf = (one: unknown) => (typeof one === 'string' ? one : (one as { readonly name: string }).name);
	return typeof item !== 'string' && !list.some((one) => nameOf(one) === nameOf(item));
}

/**
 * Parses both configs, head's first, because its faults are the change's own. A broken config of the target branch must
 * not block its repair.
 *
 * @param tipKnown Whether base's config is that of the target branch.
 * @throws UserError for an invalid config of head, or of base if head has none.
 */
export function parseSides(
	configs: FoundConfigs,
	catalogue: Catalogue,
	preferred: ConfigSource,
	tipKnown: boolean,
): SideFiles {
	const parse = (one: FoundConfig) => {
		if (one.refusal !== undefined) throw one.refusal;
		return one.text === null ? null : parseConfig(one.text.text, one.text.name, catalogue, one.text.data);
	};
	const head = parse(configs.head);
	const [base, broken] = attempt(() => parse(configs.base));
	if (broken !== null && head === null) throw broken;
	const { mergeBase } = configs;
	const [older, unknown] = mergeBase === undefined ? [base, broken] : attempt(() => parse(mergeBase));
	const missing = base === null && broken === null && head !== null && configs.base.searched;
	const unreadable = broken !== null && preferred === 'base';
	const adopting = tipKnown && (missing || unreadable);
	const name = configs.head.text?.path ?? configs.head.text?.name ?? '';
	return {
		base,
		head,
		mergeBase: unknown === null ? older : undefined,
		apart: mergeBase !== undefined,
		holding: (preferred === 'head' ? head !== null : base === null && head !== null) ? 'head' : 'base',
		adopting,
		warnings: [
			...(unreadable ? [unreadableBase(broken, adopting)] : []),
			...(missing && (adopting || preferred === 'base') ? [noBaseConfig(name, adopting)] : []),
		],
	};
}

function attempt<T>(parse: () => T): readonly [T | null, UserError | null] {
	try {
		return [parse(), null];
	} catch (error) {
		if (!isUserError(error)) throw error;
		return [null, error];
	}
}

function noBaseConfig(name: string, adopting: boolean): Warning {
	return {
		code: 'config-from-head',
		message: adopting
			? `The base branch has no ${name} yet, so this run blocks nothing. Once ${name} is merged, its gate applies.`
			: `Base has no config yet, so ${name} applies, thresholds included. Once it is merged, it applies to later changes.`,
	};
}

function unreadableBase({ where, message }: UserError, adopting: boolean): Warning {
	const why = where === undefined ? message : `${where}: ${message}`;
	return {
		code: 'config-from-head',
		message: adopting
			? `The config of the base branch cannot be read, so the one of head applies and this run blocks nothing. ${why}`
			: `The config of head applies, because the one of base cannot be read: ${why}`,
	};
}

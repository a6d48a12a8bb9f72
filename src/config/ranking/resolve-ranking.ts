/** Resolves the request of a ranking from flags, config and defaults. */
import type { Config } from '../../types/config.ts';
import { type DriverName, OWN_DRIVER } from '../../types/ranking/ranking-setup.ts';
import type { AskedRuntime } from '../../types/runtime.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import { type Catalogue, generalServers } from '../catalogue.ts';
import type { ConfigFile } from '../file/parse-config.ts';
import { flagOf, type OptionName, type OptionTexts, withDefaults } from '../option-names.ts';
import { RUNTIME } from '../options/option-kinds.ts';
import { type Flags, type FlagValues, flagsError, readFlags } from '../read-flags.ts';
import { repeatCommand } from '../repeat-command.ts';
import { resolveConfig } from '../resolve-config.ts';
import { didYouMean } from '../suggest.ts';
import { checkDriver, checkRate, describeDriver, isRatable } from './load-rules.ts';
import type { Preset, PresetName } from './presets.ts';
import { expandRamp } from './ramp-steps.ts';
import {
	type Entry,
	entriesOf,
	expandRuntimes,
	nameEntry,
	readEntry,
	takesRuntime,
	wrapEntries,
} from './runtime-entries.ts';
import { onlyRows, withPreset } from './with-preset.ts';

/** Fewest trials, unless the number is given. */
const FEWEST_TRIALS = 3;
/** Most trials under any budget. A machine that needs more is too noisy. */
const MOST_TRIALS = 100;

export interface RankingRequest {
	/** Includes the reference, and the load from flags. */
	readonly config: Config;
	readonly reference: string;
	/** Largest half-width of a 95 % interval, relative to the share. */
	readonly precision: Fraction;
	readonly rounds: { readonly fewest: number; readonly most: number };
	readonly durationSeconds: Seconds | undefined;
	readonly warmupSeconds: Seconds | undefined;
	readonly highlight: string | undefined;
	/** Whether servers on Node report garbage collection and event loop. */
	readonly vitals: boolean;
	readonly isRateTyped: boolean;
	readonly driver: DriverName;
	readonly preset: PresetName | null;
	/** Further load settings of a preset. */
	readonly shape: LoadShape | null;
	readonly notes: readonly Warning[];
	/** Packages in versions of the page, as far as the registry has them. */
	readonly pagePackages: readonly string[];
	/** Servers of the preset that this benchgate lacks. */
	readonly missing: readonly string[];
	/** Wrapper → host, both as entries. */
	readonly wraps: Readonly<Record<string, string>>;
	/** Servers, besides the reference, to which shares are also given. */
	readonly percentOf: readonly string[];
	readonly reproduce: string;
}

export type LoadShape = Pick<Preset, 'stages' | 'calls' | 'warmupLoad' | 'pauseSeconds'>;

/** Resolves a ranking, by default of all built-in servers. Throws UserError that names every unusable flag. */
export function resolveRanking(
	file: ConfigFile | null,
	flags: Flags,
	catalogue: Catalogue,
	drawSeed: () => number,
): RankingRequest {
	const presetFlags = withPreset(nameAll(flags, file, catalogue), catalogue);
	const texts = withDefaults('measure', presetFlags.flags);
	const whole = measureConfig(file, texts, catalogue, drawSeed);
	checkVersions(flags);
	const plain = presetFlags.preset
		? { ...whole, servers: onlyRows(whole.servers, whole.scenarios, presetFlags.preset) }
		: whole;
	const runtimes = readRuntimes(texts.runtime) ?? (file?.runtime ? [file.runtime] : []);
	const referenceEntry = referenceOf(plain, texts.reference ?? '', runtimes, catalogue);
	const config = expandRuntimes(plain, runtimes, catalogue, [referenceEntry]);
	const values = readFlags(texts, () => {});
	const { connections, pipelining, rate, trials, ramp = [] } = values;
	const names = config.servers.map(({ name }) => name);
	// A preset's comparisons drop absent servers; names in flags must exist.
	checkNames(
		names,
		readFlags(flags, () => {}),
	);
	const driver = values.driver ?? OWN_DRIVER;
	const most = trials ?? config.rounds ?? MOST_TRIALS;
	const scenarios = config.scenarios.map(({ ramp: steps, ...scenario }) => ({
		...scenario,
		// A fixed number of connections replaces the ramp.
		...(steps && connections === undefined && { ramp: steps }),
		load: {
			...scenario.load,
			connections: connections ?? scenario.load.connections,
			pipelining: pipelining ?? scenario.load.pipelining,
			...(rate !== undefined && isRatable(scenario) && { rate }),
		},
	}));
	if (rate !== undefined) checkRate(rate, { scenarios }, { preset: presetFlags.preset, driver, ramp });
	checkDriver(driver, { scenarios }, presetFlags.preset);
	const warmupSeconds = values.warmup ?? (presetFlags.preset === null ? config.warmupSeconds : 0);
	return {
		config: expandRamp({ ...config, scenarios }, ramp),
		reference: nameEntry(referenceEntry),
		precision: values.precision ?? 0,
		rounds: { fewest: trials ?? Math.min(FEWEST_TRIALS, most), most },
		durationSeconds: values.duration,
		warmupSeconds,
		highlight: values.highlight && entriesOf(names, values.highlight)[0],
		vitals: values.vitals === 'node',
		isRateTyped: rate !== undefined,
		driver,
		preset: values.preset ?? null,
		shape: presetFlags.preset,
		notes: [...presetFlags.notes, ...describeDriver(driver, presetFlags.preset, (warmupSeconds ?? 0) > 0)].map(
			(message) => ({
				code: 'preset',
				message,
			}),
		),
		pagePackages: presetFlags.packages,
		missing: presetFlags.missing,
		wraps: wrapEntries(names, values.wraps ?? {}),
		percentOf: (values.percentOf ?? []).flatMap((name) => entriesOf(names, name)),
		reproduce: repeatCommand({
			command: 'measure',
			given: flags,
			config: whole,
			resolve: (options) => {
				const all = withPreset(nameAll(options, file, catalogue), catalogue).flags;
				return measureConfig(file, withDefaults('measure', all), catalogue, drawSeed);
			},
		}),
	};
}

/** Word for all servers of the config and all built-in ones. */
const ALL_SERVERS = 'all';

function nameAll(flags: Flags, file: ConfigFile | null, { servers }: Catalogue): Flags {
	const configNames = (file?.servers ?? []).map((server) => (typeof server === 'string' ? server : server.name));
	const names = flags.server?.split(',').map((name) => name.trim()) ?? [];
	if (!names.includes(ALL_SERVERS) || configNames.includes(ALL_SERVERS)) return flags;
	const all = names.flatMap((name) =>
		name === ALL_SERVERS ? [...configNames, ...servers.map((one) => one.name)] : name,
	);
	return { ...flags, server: [...new Set(all)].join(',') };
}

/** Refuses the flag without a page, because it would have no effect. */
function checkVersions({ versions = '', preset = '' }: Flags): void {
	if (versions.trim() === '' || preset.trim() !== '') return;
	throw flagsError([
		`${flagOf('versions')} ${versions.trim()}: it chooses the versions of a page; give ${flagOf('preset')} as well, or ${flagOf('package')} NAME=VERSION for a version of your own`,
	]);
}

/** Returns runtimes in the order of `--runtime`; undefined when absent. */
function readRuntimes(text: string | undefined): readonly AskedRuntime[] | undefined {
	if (text === undefined) return undefined;
	const words = [...new Set(text.split(',').map((word) => word.trim()))];
	const wrong = words.filter((word) => RUNTIME.parse(word) === undefined);
	if (wrong.length > 0) {
		throw flagsError(wrong.map((word) => `${flagOf('runtime')} ${word}: not allowed; ${RUNTIME.form}`));
	}
	return words.flatMap((word) => RUNTIME.parse(word) ?? []);
}

/** The entry on the runtime that it names, or else on the first one. */
function referenceOf(
	{ servers }: Config,
	reference: string,
	runtimes: readonly AskedRuntime[],
	catalogue: Catalogue,
): Entry {
	const { server, runtime } = readEntry(reference);
	if (runtime !== null && runtimes.length === 0) {
		throw flagsError([`${flagOf('reference')} ${reference}: no runtimes are named; add ${flagOf('runtime')}`]);
	}
	const referenceServer = servers.find(({ name }) => name === server);
	const isFree = referenceServer !== undefined && takesRuntime(referenceServer, catalogue);
	return { server, runtime: isFree ? (runtime ?? runtimes[0] ?? null) : null };
}

function measureConfig(
	file: ConfigFile | null,
	texts: OptionTexts,
	catalogue: Catalogue,
	drawSeed: () => number,
): Config {
	// The config of a comparison has a single runtime.
	const { reference: referenceText = '', runtime: _, ...rest } = texts;
	const { server: reference } = readEntry(referenceText);
	const names =
		texts.server?.split(',') ??
		file?.servers?.map((server) => (typeof server === 'string' ? server : server.name)) ??
		generalServers(catalogue);
	const customNames = (file?.servers ?? []).flatMap((server) => (typeof server === 'string' ? [] : server.name));
	const serverNames = [...customNames, ...catalogue.servers.map(({ name }) => name)];
	if (!serverNames.includes(reference)) {
		throw flagsError([
			`${flagOf('reference')} ${reference}: there is no such server${didYouMean(reference, serverNames)}`,
		]);
	}
	const unknown = names.map((name) => name.trim()).filter((name) => !serverNames.includes(name));
	if (texts.server !== undefined && unknown.length > 0) {
		const place = `${flagOf('server')} ${texts.server}`;
		throw flagsError(unknown.map((name) => `${place}: "${name}" is not a server${didYouMean(name, serverNames)}`));
	}
	const server = [...new Set([...names.map((name) => name.trim()), reference])].join(',');
	return resolveConfig(file, { ...rest, server }, catalogue, drawSeed, true);
}

function checkNames(names: readonly string[], { highlight, wraps = {}, percentOf = [] }: Partial<FlagValues>): void {
	const wrong = (flag: OptionName, name: string) =>
		entriesOf(names, name).length > 0
			? []
			: [`${flagOf(flag)} ${name}: it is not among the servers${didYouMean(name, names)}`];
	const problems = [
		...(highlight === undefined ? [] : wrong('highlight', highlight)),
		...Object.entries(wraps).flatMap((pair) => pair.flatMap((one) => wrong('wraps', one))),
		...percentOf.flatMap((name) => wrong('percentOf', name)),
	];
	if (problems.length > 0) throw flagsError(problems);
}

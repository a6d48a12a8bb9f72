import type { Config } from '../../types/config.ts';
import type { DriverName } from '../../types/driver.ts';
import type { Fraction, Seconds, Warning } from '../../types/units.ts';
import { type Catalogue, generalServers } from '../catalogue.ts';
import { writeDuration } from '../durations.ts';
import type { ConfigFile } from '../file/config-file.ts';
import { flagOf, type OptionTexts, withDefaults } from '../option-names.ts';
import { type Flags, flagsError, readFlags } from '../read-flags.ts';
import { repeatCommand } from '../repeat-command.ts';
import { resolveConfig } from '../resolve-config.ts';
import { didYouMean } from '../suggest.ts';
import { PRESET_NAMES, type Preset, type PresetName, presetOf } from './presets.ts';
import { expandRamp } from './ramp-steps.ts';

/** Rounds that every row gets unless their number is given. */
export const FEWEST_TRIALS = 3;
/** No row gets more, whatever the budget: beyond it the machine is too noisy for the precision. */
export const MOST_TRIALS = 100;

/** A page's run is done when its trials are. */
const PRESET_BUDGET = '24h';

/** A ranking, complete. */
export interface MeasureRequest {
	/** With the reference among its servers, and the load that flags ask for in its scenarios. */
	readonly config: Config;
	readonly reference: string;
	/** Largest half-width of a 95 % interval, as a part of the share. */
	readonly precision: Fraction;
	readonly rounds: { readonly fewest: number; readonly most: number };
	readonly durationSeconds: Seconds | undefined;
	readonly warmupSeconds: Seconds | undefined;
	readonly highlight: string | undefined;
	/** Whether servers on Node tell of garbage collection and event loop. */
	readonly vitals: boolean;
	/** What loads the servers. */
	readonly driver: DriverName;
	/** Page whose load it is; null for none. */
	readonly preset: PresetName | null;
	readonly aggregate: Preset['aggregate'];
	/** What is not as on the preset's page. */
	readonly notes: readonly Warning[];
	/** Servers of a preset that this benchgate does not have. */
	readonly missing: readonly string[];
	/** Wrapper → host. */
	readonly wraps: Readonly<Record<string, string>>;
	readonly reproduce: string;
}

/**
 * Returns the request of a ranking: flags over the config file over defaults; all built-in servers where neither names any. Throws
 * a UserError that names every unusable flag.
 */
export function resolveMeasure(
	file: ConfigFile | null,
	flags: Flags,
	catalogue: Catalogue,
	drawSeed: () => number,
): MeasureRequest {
	const own = withPreset(flags, catalogue);
	const texts = withDefaults('measure', own.flags);
	const config = measureConfig(file, texts, catalogue, drawSeed);
	const values = readFlags(texts, () => {});
	const { connections, pipelining, trials, ramp = [] } = values;
	checkNames(config, texts, values.wraps ?? {});
	const driver = values.driver ?? 'benchgate';
	checkDriver(driver, config, own.preset);
	const most = trials ?? config.rounds ?? MOST_TRIALS;
	const scenarios = config.scenarios.map((scenario) => ({
		...scenario,
		load: {
			connections: connections ?? scenario.load.connections,
			pipelining: pipelining ?? scenario.load.pipelining,
		},
	}));
	return {
		config: expandRamp({ ...config, scenarios }, ramp),
		reference: values.reference ?? '',
		precision: values.precision ?? 0,
		rounds: { fewest: trials ?? Math.min(FEWEST_TRIALS, most), most },
		durationSeconds: values.duration,
		warmupSeconds: values.warmup ?? own.preset?.warmupSeconds ?? config.warmupSeconds,
		highlight: values.highlight,
		vitals: values.vitals === 'node',
		driver,
		preset: values.preset ?? null,
		aggregate: own.preset?.aggregate ?? 'median',
		notes: [...own.notes, ...describeDriver(driver)].map((message) => ({ code: 'preset', message })),
		missing: own.missing,
		wraps: values.wraps ?? {},
		reproduce: repeatCommand({
			command: 'measure',
			given: flags,
			config,
			resolve: (given) =>
				measureConfig(file, withDefaults('measure', withPreset(given, catalogue).flags), catalogue, drawSeed),
		}),
	};
}

/** Flags with what their preset says of the rest, as far as the catalogue has it. */
function withPreset(flags: Flags, { servers, scenarios }: Catalogue) {
	const name = PRESET_NAMES.find((one) => one === flags.preset?.trim());
	if (name === undefined) return { flags, preset: null, missing: [], notes: [] };
	const preset = presetOf(name);
	const has = (known: readonly { readonly name: string }[]) => (one: string) =>
		known.some((other) => other.name === one);
	const present = preset.servers.filter(has(servers));
	const answered = preset.scenarios.filter(has(scenarios));
	if (present.length === 0 || answered.length === 0) {
		throw flagsError([`${flagOf('preset')} ${name}: this benchgate has none of its servers or none of its scenarios`]);
	}
	const texts: OptionTexts = {
		server: present.join(','),
		scenario: answered.join(','),
		reference: present[0],
		connections: String(preset.load.connections),
		pipelining: String(preset.load.pipelining),
		duration: writeDuration(preset.durationSeconds),
		...(preset.warmupSeconds > 0 && { warmup: writeDuration(preset.warmupSeconds) }),
		trials: String(preset.trials),
		budget: PRESET_BUDGET,
	};
	const given = Object.fromEntries(Object.entries(flags).filter(([, text]) => text !== undefined));
	const missing = flags.server === undefined ? preset.servers.filter((one) => !present.includes(one)) : [];
	const unasked = flags.scenario === undefined ? preset.scenarios.filter((one) => !answered.includes(one)) : [];
	const absent = unasked.map((one) => `The scenario ${one} of the page is not among those of this benchgate.`);
	return { flags: { ...texts, ...given }, preset, missing, notes: [...preset.differences, ...absent] };
}

function measureConfig(
	file: ConfigFile | null,
	texts: OptionTexts,
	catalogue: Catalogue,
	drawSeed: () => number,
): Config {
	const { reference = '' } = texts;
	const names =
		texts.server?.split(',') ??
		file?.servers?.map((server) => (typeof server === 'string' ? server : server.name)) ??
		generalServers(catalogue);
	const own = (file?.servers ?? []).flatMap((server) => (typeof server === 'string' ? [] : server.name));
	const known = [...own, ...catalogue.servers.map(({ name }) => name)];
	if (!known.includes(reference)) {
		throw flagsError([`${flagOf('reference')} ${reference}: there is no such server${didYouMean(reference, known)}`]);
	}
	const server = [...new Set([...names.map((name) => name.trim()), reference])].join(',');
	return resolveConfig(file, { ...texts, server }, catalogue, drawSeed);
}

/** Another program loads one server at a time, as a page does, and sends one request. */
function checkDriver(driver: DriverName, { scenarios }: Config, preset: Preset | null): void {
	if (driver === 'benchgate') return;
	const flag = `${flagOf('driver')} ${driver}`;
	const mixed = scenarios.find(({ mix }) => mix !== undefined);
	const problems = [
		...(preset === null ? [`${flag}: it loads one server at a time, as presets do; give --preset as well`] : []),
		...(mixed === undefined ? [] : [`${flag}: it sends one request, and ${mixed.name} has several or data`]),
	];
	if (problems.length > 0) throw flagsError(problems);
}

function describeDriver(driver: DriverName): readonly string[] {
	if (driver === 'benchgate') return [];
	return [
		`${driver} loaded the servers, after benchgate had asked them and warmed them up. It looks at no body, and of statuses it only counts those from 400 on.`,
	];
}

/** Names that are said of servers must be among them. */
function checkNames({ servers }: Config, { highlight }: OptionTexts, wraps: Readonly<Record<string, string>>): void {
	const names = servers.map(({ name }) => name);
	const wrong = (flag: string, name: string) =>
		names.includes(name) ? [] : [`${flag} ${name}: it is not among the servers${didYouMean(name, names)}`];
	const problems = [
		...(highlight === undefined ? [] : wrong(flagOf('highlight'), highlight)),
		...Object.entries(wraps).flatMap(([wrapper, host]) =>
			[wrapper, host].flatMap((one) => wrong(flagOf('wraps'), one)),
		),
	];
	if (problems.length > 0) throw flagsError(problems);
}

/**
 * The loads, servers and orders of published benchmark pages, from `scenarios/presets.json`. A preset loads each server alone, one after the other,
 * as the pages do: it shows what a page would have shown here, and has no intervals.
 */
import presets from '../../../scenarios/presets.json' with { type: 'json' };
import type { Load } from '../../types/config.ts';
import type { Stage } from '../../types/plan.ts';
import type { OtherDriver } from '../../types/ranking/driver.ts';
import type { Fraction, Seconds } from '../../types/units.ts';

/** The load, servers and order of a published page. */
export interface Preset {
	/** Whose page it is. */
	readonly page: string;
	readonly servers: readonly string[];
	readonly scenarios: readonly string[];
	/** Scenario → servers that the page has in it; scenarios that are not named here have all of them. */
	readonly rows: Readonly<Record<string, readonly string[]>>;
	/** Wrapper → host, as the page compares them. A wrapper outside `servers` is compared only when a user names it. */
	readonly wraps: Readonly<Record<string, string>>;
	/** Server that the page says more about; null for none. */
	readonly highlight: string | null;
	/** Servers that the page gives shares of. */
	readonly percentOf: readonly string[];
	readonly load: Load;
	/** How connections come and go while everything is counted; then there is no warm-up. Null where all are there from the start. */
	readonly stages: readonly Stage[] | null;
	/** So many calls of a program that is asked in its process, in place of the times; null for times. */
	readonly calls: { readonly warmup: number; readonly counted: number } | null;
	/** Load that is not counted; 0 for none. */
	readonly warmupSeconds: Seconds;
	/** Load of the warm-up, where it is not that of the measurement. */
	readonly warmupLoad: Load | null;
	/** Also of presets with `stages` or `calls`, for flags that ask for another load. */
	readonly durationSeconds: Seconds;
	/** What the page loads with, where benchgate can have that load, too; null for others. */
	readonly driver: OtherDriver | null;
	/** Between two trials. */
	readonly pauseSeconds: Seconds;
	readonly trials: number;
	/** How the page makes one figure of several trials; `median-round`: all figures of the trial whose requests/s are the median. */
	readonly aggregate: 'mean' | 'median' | 'median-round';
	/** Whether its standard deviation divides by the number of trials (population), or by one less. */
	readonly deviation: 'population' | 'sample';
	/** What its tool lets pass: share of requests that fail, and p99 in milliseconds; null for no limits. */
	readonly limits: { readonly failed: Fraction; readonly p99: number } | null;
	/** Whether the page says something of garbage collection, which servers report themselves then. */
	readonly vitals: boolean;
	/** Version of Node it ran on, or the beginning of it; null where the page does not say. */
	readonly node: string | null;
	/** Memory that the page leaves a server, as a flag has it; null where it does not say. */
	readonly memoryLimit: string | null;
	/** Package → version, or the beginning of it, as far as the page says. */
	readonly versions: Readonly<Record<string, string>>;
	/** What is not as on the page. */
	readonly differences: readonly string[];
}

export type PresetName = keyof typeof presets;
export const PRESET_NAMES = Object.keys(presets) as readonly PresetName[];

/** Value of each field that a preset leaves out. */
const DEFAULTS = {
	rows: {},
	wraps: {},
	highlight: null,
	percentOf: [],
	stages: null,
	calls: null,
	driver: null,
	warmupSeconds: 0,
	warmupLoad: null,
	pauseSeconds: 0,
	trials: 1,
	aggregate: 'mean',
	deviation: 'sample',
	limits: null,
	vitals: false,
	node: null,
	memoryLimit: null,
	versions: {},
} as const satisfies Partial<Preset>;

type Written = Omit<Preset, keyof typeof DEFAULTS> & Partial<Preset>;

/** Returns the preset of this name. */
export function presetOf(name: PresetName): Preset {
	// JSON has no literal types; test/config/preset-pages.test.ts checks the file.
	return { ...DEFAULTS, ...((presets as Readonly<Record<PresetName, unknown>>)[name] as Written) };
}

/** Returns the preset of a name that a file has; null for none, and for one that this benchgate does not know. */
export function findPreset(name: string | null): Preset | null {
	const known = PRESET_NAMES.find((one) => one === name);
	return known === undefined ? null : presetOf(known);
}

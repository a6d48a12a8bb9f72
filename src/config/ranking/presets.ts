/**
 * The loads of published benchmark pages, from `scenarios/presets.json`. A preset loads one server after the other,
 * like the pages, and shows figures without intervals.
 */
import presets from '../../../scenarios/presets.json' with { type: 'json' };
import type { Load } from '../../types/config.ts';
import type { Stage } from '../../types/plan.ts';
import type { OtherDriver } from '../../types/ranking/ranking-setup.ts';
import type { Fraction, Seconds } from '../../types/units.ts';

export interface Preset {
	/** Author of the page. */
	readonly page: string;
	readonly servers: readonly string[];
	readonly scenarios: readonly string[];
	/** Scenario → servers in it. A scenario without an entry has all servers. */
	readonly rows: Readonly<Record<string, readonly string[]>>;
	/** Wrapper → host, as the page compares them. A wrapper outside `servers` is compared only when a user names it. */
	readonly wraps: Readonly<Record<string, string>>;
	/** Server the page features. */
	readonly highlight: string | null;
	/** Servers relative to which the page gives shares. */
	readonly percentOf: readonly string[];
	readonly load: Load;
	/** Connections during the counted load, without warm-up; null for constant connections. */
	readonly stages: readonly Stage[] | null;
	/** Number of in-process calls, instead of times. */
	readonly calls: { readonly warmup: number; readonly counted: number } | null;
	/** Duration of the uncounted load. */
	readonly warmupSeconds: Seconds;
	/** Load of the warm-up, if it differs from the measured load. */
	readonly warmupLoad: Load | null;
	/** Set also with `stages` or `calls`, for flags that ask for another load. */
	readonly durationSeconds: Seconds;
	/** The page's load program, if benchgate supports it. */
	readonly driver: OtherDriver | null;
	/** Pause between two trials. */
	readonly pauseSeconds: Seconds;
	readonly trials: number;
	/** How the page combines trials. `median-round` takes all figures of the trial with median requests/s. */
	readonly aggregate: 'mean' | 'median' | 'median-round';
	/** Divisor of the page's standard deviation: number of trials (population), or one less (sample). */
	readonly deviation: 'population' | 'sample';
	/** Limits of the page's tool: share of failed requests, and p99 in milliseconds. */
	readonly limits: { readonly failed: Fraction; readonly p99: number } | null;
	/** Whether the page reports garbage collection. */
	readonly vitals: boolean;
	/** Node version or prefix, if given. */
	readonly node: string | null;
	/** Memory limit of a server in flag form, if given. */
	readonly memoryLimit: string | null;
	/** Package → version or prefix, as far as given. */
	readonly versions: Readonly<Record<string, string>>;
	/** Differences from the page. */
	readonly differences: readonly string[];
}

export type PresetName = keyof typeof presets;
export const PRESET_NAMES = Object.keys(presets) as readonly PresetName[];

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

export function presetOf(name: PresetName): Preset {
	// JSON has no literal types; test/config/preset-pages.test.ts checks the file.
	return { ...DEFAULTS, ...((presets as Readonly<Record<PresetName, unknown>>)[name] as Written) };
}

/** Returns null if this benchgate does not know the name. */
export function findPreset(name: string | null): Preset | null {
	const presetName = PRESET_NAMES.find((one) => one === name);
	return presetName === undefined ? null : presetOf(presetName);
}

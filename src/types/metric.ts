import { enumOf } from './schema.ts';
import type { Fraction } from './units.ts';

/** What both sides count in each window. CPU time is null where the platform cannot tell. */
export type Counted = 'seconds' | 'answers' | 'bytes' | 'unexpected' | 'errors' | 'cpuSeconds';

/** Where a metric is read in the raw data, and with it what one round's log ratio is made of. */
export type MetricSource =
	/** One count divided by another in every window: the round's log ratio is the centre of those of its windows. */
	| { readonly per: 'window'; readonly divide: Counted; readonly by: Counted }
	/** A quantile of a side's latencies in all windows of the turn together, in µs. One log ratio per turn. */
	| { readonly per: 'turn'; readonly latencyQuantile: Fraction }
	/** A number each side has once for the whole turn, whatever its windows. One log ratio per turn. */
	| { readonly per: 'turn'; readonly wholeTurn: 'memoryPeak' | 'memoryAfterLoad' | 'memoryAfter' }
	/** A number that each side's processes report about themselves, of the whole turn. */
	| { readonly per: 'turn'; readonly ofVitals: 'gcShare' | 'gcCount' | 'gcLongest' | 'loopActive' }
	/** A number each side's fresh process has before any load: one log ratio per server and round, whatever its scenarios. */
	| { readonly per: 'start'; readonly ofStart: 'seconds' | 'memory' | 'reload' | 'hotReload' };

/** A metric: all there is to know about it, in one place. Worse is decided only by `better`. */
export interface Metric {
	readonly label: string;
	readonly better: 'higher' | 'lower';
	readonly source: MetricSource;
	readonly unit: 'requests/s' | 'MB/s' | 'µs' | 'ms' | 'MB' | '%' | 'a turn';
	/** What the raw number is multiplied by to be in `unit`. */
	readonly scale: number;
	/** How a row changed; `slower` and `faster` when absent. */
	readonly words?: { readonly worse: string; readonly better: string };
	/** Present where it is shown only when it is gated. */
	readonly gatedOnly?: true;
	/** Present where no gate can name it: it says nothing of a change by itself, or the code under test could make it up. */
	readonly ungated?: true;
	/** Threshold of its rows unless the gate names one; that of the scenario when absent. */
	readonly threshold?: Fraction;
}

function latency<Q extends Fraction>(percent: string, latencyQuantile: Q, threshold: Fraction) {
	const source = { per: 'turn', latencyQuantile } as const;
	return { label: `latency p${percent}`, better: 'lower', source, unit: 'ms', scale: 1 / 1000, threshold } as const;
}

function memory<S extends MetricSource>(label: string, source: S, threshold: Fraction) {
	const words = { worse: 'worse', better: 'better' };
	return { label, better: 'lower', source, unit: 'MB', scale: 1 / 1e6, threshold, words } as const;
}

const GATED_ONLY = { gatedOnly: true } as const;
const UNGATED = { ...GATED_ONLY, ungated: true } as const;

const VITAL_SCALES = { '%': 100, ms: 1000, 'a turn': 1 } as const;

function vital<V extends 'gcShare' | 'gcCount' | 'gcLongest' | 'loopActive'>(
	label: string,
	ofVitals: V,
	unit: keyof typeof VITAL_SCALES,
) {
	const scale = VITAL_SCALES[unit];
	return { label, better: 'lower', source: { per: 'turn', ofVitals }, unit, scale, ...UNGATED } as const;
}

// The rarer what a metric counts, the more a round of it spreads, and the wider its usual threshold.
const TABLE = {
	throughput: {
		label: 'throughput',
		better: 'higher',
		source: { per: 'window', divide: 'answers', by: 'seconds' },
		unit: 'requests/s',
		scale: 1,
	},
	transfer: {
		label: 'transfer',
		better: 'higher',
		source: { per: 'window', divide: 'bytes', by: 'seconds' },
		unit: 'MB/s',
		scale: 1 / 1e6,
		...GATED_ONLY,
	},
	'cpu-per-request': {
		label: 'CPU per request',
		better: 'lower',
		source: { per: 'window', divide: 'cpuSeconds', by: 'answers' },
		unit: 'µs',
		scale: 1e6,
	},
	// In a duet both sides have half a CPU, whatever they do: it says something only of a server alone, or of several CPUs.
	'cpu-used': {
		label: 'CPU used',
		better: 'lower',
		source: { per: 'window', divide: 'cpuSeconds', by: 'seconds' },
		unit: '%',
		scale: 100,
		...UNGATED,
	},
	'latency-p2.5': { ...latency('2.5', 0.025, 0.1), ...GATED_ONLY },
	'latency-p50': latency('50', 0.5, 0.1),
	'latency-p90': { ...latency('90', 0.9, 0.15), ...GATED_ONLY },
	'latency-p95': { ...latency('95', 0.95, 0.2), ...GATED_ONLY },
	'latency-p97.5': { ...latency('97.5', 0.975, 0.2), ...GATED_ONLY },
	'latency-p99': latency('99', 0.99, 0.25),
	'latency-p99.9': { ...latency('99.9', 0.999, 0.5), ...GATED_ONLY },
	'memory-peak': memory('peak memory', { per: 'turn', wholeTurn: 'memoryPeak' }, 0.1),
	'memory-after-load': {
		...memory('memory after load', { per: 'turn', wholeTurn: 'memoryAfterLoad' }, 0.1),
		...GATED_ONLY,
	},
	'memory-after-100k': {
		...memory('memory after 100,000 requests', { per: 'turn', wholeTurn: 'memoryAfter' }, 0.1),
		...GATED_ONLY,
	},
	'memory-at-rest': { ...memory('memory at rest', { per: 'start', ofStart: 'memory' }, 0.05), ...GATED_ONLY },
	'cold-start': {
		label: 'cold start',
		better: 'lower',
		source: { per: 'start', ofStart: 'seconds' },
		unit: 'ms',
		scale: 1000,
		threshold: 0.15,
		...GATED_ONLY,
	},
	reload: {
		label: 'reload',
		better: 'lower',
		source: { per: 'start', ofStart: 'reload' },
		unit: 'ms',
		scale: 1000,
		threshold: 0.15,
		...GATED_ONLY,
	},
	// The code under test says itself that it has reloaded.
	'hot-reload': {
		label: 'hot reload',
		better: 'lower',
		source: { per: 'start', ofStart: 'hotReload' },
		unit: 'ms',
		scale: 1000,
		...UNGATED,
	},
	'gc-share': vital('GC share', 'gcShare', '%'),
	'gc-count': vital('collections', 'gcCount', 'a turn'),
	'gc-longest': vital('longest GC', 'gcLongest', 'ms'),
	'event-loop': vital('event loop', 'loopActive', '%'),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof TABLE;

/** Every metric, in the order reports list them. */
export const METRICS: Readonly<Record<MetricName, Metric>> = TABLE;

export const METRIC_NAMES = Object.keys(METRICS) as readonly MetricName[];

/** Metrics that a gate can name. */
export const GATED_METRICS = METRIC_NAMES.filter((name) => !METRICS[name].ungated);
/** A metric of a comparison. */
export const METRIC = enumOf(GATED_METRICS);
/** A metric of a ranking: no gate names some of these. */
export const RANKING_METRIC = enumOf(METRIC_NAMES);

/** Metrics that every report shows, gated or not. */
export const SHOWN_METRICS = METRIC_NAMES.filter((name) => !METRICS[name].gatedOnly);

/** Requests of a turn after which `memory-after-100k` is read. */
export const FOOTPRINT_REQUESTS = 100_000;

/** Returns whether a metric is one of a server's process, whatever is asked of it: it has one row a server. */
export function isOfServer(metric: MetricName): boolean {
	return METRICS[metric].source.per === 'start';
}

/** Returns whether a metric is a quantile of latency. */
export function isLatency(metric: MetricName): boolean {
	return 'latencyQuantile' in METRICS[metric].source;
}

/** Returns whether a metric is read from the windows of a turn, and so depends on how they were loaded. */
export function isOfWindows(metric: MetricName): boolean {
	return METRICS[metric].source.per === 'window' || isLatency(metric);
}

/** Returns what a row is called besides its metric: its cell, `server/scenario`, or its server alone. */
export function placeOfRow(cell: string, metric: MetricName): string {
	return isOfServer(metric) ? cell.slice(0, cell.indexOf('/')) : cell;
}

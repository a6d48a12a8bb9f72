import type { MetricName } from '../metric.ts';
import type { Environment } from '../result.ts';
import type { EndReason, WorkerFigures } from '../round.ts';
import type { RuntimeInfo } from '../runtime.ts';
import type { Fraction, Seconds, Side, Warning } from '../units.ts';
import type { Guards } from '../verdict.ts';
import type { Ramp } from './connection-ramp.ts';
import type { AloneFigures } from './load-figures.ts';
import type { MeasureSetup } from './measure-setup.ts';
import type { MeasuredShard, RankingShard } from './measured-shards.ts';
import type { Scaling } from './worker-scaling.ts';

export const MEASURE_SCHEMA_VERSION = 1;

/** What a server's turn of one round says, with its reference: all that a ranking is made from. */
export interface MeasureSample {
	readonly server: string;
	readonly scenario: string;
	/** The server it was measured with, in turn or beside it. */
	readonly reference: string;
	/** 1-based. */
	readonly round: number;
	/** Log ratio server against reference by metric, signed so that negative is worse; null where it is not available. */
	readonly d: Readonly<Partial<Record<MetricName, number | null>>>;
	readonly alone: { readonly server: AloneFigures | null; readonly reference: AloneFigures | null };
	readonly guards: Pick<Guards, 'generatorUtilisation' | 'serverUtilisation' | 'cpuShare'> & {
		/** Share of windows in which other programs used more than 5 % of a CPU; null where nobody can tell. */
		readonly busy: Fraction | null;
		/** CPU that server and reference used while they rested and the other was counted; absent unless they were loaded in turn. */
		readonly resting?: { readonly server: Fraction | null; readonly reference: Fraction | null };
	};
	/** What each worker process used, where there are several. */
	readonly workers?: readonly WorkerFigures[];
	/** Why the numbers of this turn mean nothing: base is the reference, head the server. */
	readonly faults: readonly Warning[];
	readonly seconds: Seconds;
	/** The shard that measured it, where shards were gathered. No file has it. */
	readonly shard?: number;
}

export const SERVER_STATES = ['installed', 'not-installed', 'unsupported'] as const;

/** A server that was asked for. */
export interface MeasuredServer {
	readonly name: string;
	readonly description: string;
	readonly state: (typeof SERVER_STATES)[number];
	/** Why it could not be had, and what to do; null when it was installed. */
	readonly reason: string | null;
	/** Installed package → version. */
	readonly versions: Readonly<Record<string, string>>;
	/** Packages it names itself. */
	readonly direct: readonly string[];
	/** What it ran on, where runtimes were asked for. */
	readonly runtime?: RuntimeInfo;
	/** What it is asked by without a socket: `app.inject`; absent where nothing does, and in older logs. */
	readonly inProcess?: string;
	/** What explains its figures, a sentence by built-in scenario; absent where nothing does, and in older logs. */
	readonly remarks?: Readonly<Record<string, string>>;
}

/** A pair of server and scenario that was not loaded, and why. */
export interface UnmeasuredPair {
	readonly server: string;
	readonly scenario: string;
	readonly state: 'left-out' | 'broken';
	readonly reason: string;
	/** Whose fault it is; null when it is nobody's. */
	readonly side: Side | null;
}

/** One run, or several that were put together: what a report is made from. */
export interface MeasureData {
	readonly tool: { readonly name: 'benchgate'; readonly version: string };
	/** When the first run began, ISO 8601. */
	readonly createdAt: string;
	readonly seed: number;
	readonly setup: MeasureSetup;
	readonly precision: Fraction;
	readonly environment: Environment;
	readonly servers: readonly MeasuredServer[];
	readonly unmeasured: readonly UnmeasuredPair[];
	readonly samples: readonly MeasureSample[];
	readonly warnings: readonly Warning[];
	readonly ended: EndReason;
	readonly reproduce: string;
	/** How many runs were put together; absent for one. */
	readonly runs?: number;
	/** Of a run that measured one shard. */
	readonly shard?: RankingShard;
	/** Of shards that were gathered: every machine's part, by number. */
	readonly shards?: readonly MeasuredShard[];
}

/** Places a server shares with those it cannot be told from: `first` 1 and `last` 2 is shown as `1-2`. */
export type Rank = Readonly<Record<'first' | 'last', number>>;

/** A figure and its 95 % interval. Of a share: 0.63 is 63 % of the reference. */
export interface Ranged {
	readonly value: number;
	readonly low: number;
	readonly high: number;
}

export const ROW_STATES = ['measured', 'left-out', 'not-installed', 'unsupported', 'broken', 'not-reached'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** Verdicts on a coefficient of variation: below 3 %, to 5 %, to 10 %, above. */
export const BANDS = ['Excellent', 'Acceptable', 'Noisy', 'Unreliable'] as const;
export type Band = (typeof BANDS)[number];

/** How much a figure differs from round to round. */
export interface Variation {
	/** Sample standard deviation (n − 1), in the unit of the figure; null below two rounds. */
	readonly sd: number | null;
	/** sd / mean; null with `sd`. */
	readonly cov: Fraction | null;
	readonly band: Band | null;
}

/** One server in one scenario. */
export interface MeasureRow {
	readonly server: string;
	readonly scenario: string;
	readonly state: RowState;
	/** Why it was not measured; null when it was. */
	readonly reason: string | null;
	readonly rank: Rank | null;
	/** Share of the reference's throughput, each alone, or beside each other in older runs; null without an interval. */
	readonly share: Ranged | null;
	/** Standard error of the share's logarithm, and its degrees of freedom: what two shares are compared by. */
	readonly logShare: { readonly theta: number; readonly se: number; readonly df: number } | null;
	/**
	 * How much the process of the reference beside it counts in each round of its share. The rest is the mean of all processes of the
	 * reference in this scenario and round. Absent where it alone counts.
	 */
	readonly ownReference?: Fraction;
	/** What the share is read from: `throughput`, or `cpu-per-request` when a guard says throughput lies. */
	readonly judgedBy: MetricName;
	readonly rounds: number;
	/** Alone on the machine: the median over rounds. */
	readonly alone: AloneFigures | null;
	/** Requests per second of every round, alone. */
	readonly throughputs: readonly number[];
	readonly variation: { readonly throughput: Variation; readonly p99: Variation };
	readonly warnings: readonly Warning[];
	/** Worker processes were more than CPUs for them, so its figures are in no ratio; absent where they were not. */
	readonly oversubscribed?: true;
	/** The shard on whose machine the figures alone were measured; absent where there was only one machine. */
	readonly shard?: number;
}

export const COMPARISON_KINDS = [
	'middleware-loss',
	'middlewares-20',
	'layers',
	'production-delta',
	'logging',
	'serialiser',
	'routes',
	'wrapper',
] as const;

/** Two rows set against each other. */
export interface Comparison {
	readonly kind: (typeof COMPARISON_KINDS)[number];
	/** What costs more: `koa/middleware-5`, `pikku-express/ping`. */
	readonly row: { readonly server: string; readonly scenario: string };
	readonly against: { readonly server: string; readonly scenario: string };
	/** 1 − row / against in throughput: 0.2 is a fifth fewer requests. Ends are null where no common reference gives an interval. */
	readonly loss: { readonly value: Fraction; readonly low: Fraction | null; readonly high: Fraction | null };
	/** Of a wrapper: a loss up to 5 %, up to 15 %, or more; null for the others. */
	readonly grade: 'good' | 'borderline' | 'bad' | null;
}

export const RUN_VERDICTS = ['CLEAN RUN', 'ACCEPTABLE', 'NOISY', 'UNRELIABLE'] as const;

/** How steady a whole run was, by the coefficients of variation of throughput. */
export interface RunVariation {
	/** Null when no row has one. */
	readonly verdict: (typeof RUN_VERDICTS)[number] | null;
	readonly meanCov: Fraction | null;
	/** Rows with a coefficient. */
	readonly rows: number;
	/** Above 5 %, worst first. */
	readonly noisy: readonly {
		readonly server: string;
		readonly scenario: string;
		readonly throughput: Fraction;
		readonly p99: Fraction | null;
	}[];
	/** How many of these are above 10 %. */
	readonly unreliable: number;
}

/** What `benchgate measure --json` writes and its reports are rendered from. */
export interface MeasureResult extends Omit<MeasureData, 'samples' | 'unmeasured'> {
	readonly schemaVersion: typeof MEASURE_SCHEMA_VERSION;
	readonly kind: 'benchgate-measure';
	readonly rows: readonly MeasureRow[];
	readonly comparisons: readonly Comparison[];
	/** Where a scenario was measured with several numbers of connections. */
	readonly ramps: readonly Ramp[];
	/** Where servers were measured in worker processes. */
	readonly scalings: readonly Scaling[];
	readonly variation: RunVariation;
	/** Most rounds of a row. */
	readonly rounds: number;
	/** Wall time of all rounds. */
	readonly measuringSeconds: Seconds;
	/** Server that the report says more about; null for none. */
	readonly highlight: string | null;
	/** Servers that shares are also given of; absent for none. */
	readonly percentOf?: readonly string[];
}

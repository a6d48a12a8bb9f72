import type { IsolationWish, PrepareAs, RequiredLevel } from './isolation.ts';
import { METRIC, type MetricName } from './metric.ts';
import type { AskedRuntime } from './runtime.ts';
import { COUNT, enumOf, type Infer, listOf, NUMBER, objectOf, optional, schemaOf, TEXT } from './schema.ts';
import type { Bytes, Fraction, Seconds } from './units.ts';

export const DESIGNS = ['duet', 'alternating', 'sequential'] as const;
export type Design = (typeof DESIGNS)[number];
export const DESIGN = enumOf(DESIGNS);

/** Exclusive upper limit of drawn seeds; short enough to retype. */
export const SEED_LIMIT = 2 ** 31;

export interface HttpRequest {
	readonly method: string;
	/** Includes the query; starts with `/`. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** JSON is already serialised, and `headers` has its content type. */
	readonly body?: string;
	/** Encoding of data values: JSON, URL-encoded, or verbatim when absent. */
	readonly bodyKind?: 'json' | 'form';
}

export type DataValue = string | number | boolean;

/** Maps column to value. */
export type DataRow = Readonly<Record<string, DataValue>>;

/** Values of placeholders such as `{{id}}` in a scenario's requests. */
export interface DataFile {
	/** Relative to the config's folder. */
	readonly file: string;
	/** Only columns the scenario uses. Empty if the file was not read. */
	readonly rows: readonly DataRow[];
}

/** `json`, `text` and `bodyBytes` apply to answers with the first status. */
export interface Expectation {
	/** The usual status comes first. */
	readonly status: readonly number[];
	/** Subset of the parsed body, at any depth; `<any>`, `<string>`, `<number>`, `<uuid>` match by kind. */
	readonly json?: unknown;
	readonly text?: string;
	/** Length after decompression. */
	readonly bodyBytes?: number;
	/** Maps lower-case headers to an exact value, `<any>` for presence, `<json>` for application/json, or `<optional>`. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Additional headers by status. */
	readonly headersOf?: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** Part that must be equal on both sides, besides the status; the body when absent. */
	readonly compare?: Comparison;
	/** Fields that the comparison ignores; `*` is a wildcard. */
	readonly ignore?: readonly string[];
}

export const COMPARISONS = ['status', 'headers', 'body'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A negative case: requested once per process pair before load. */
export interface Check {
	readonly name: string;
	readonly request: HttpRequest;
	readonly expect: Expectation;
}

/** A value from an answer that loaded requests send back: an ETag, a token, cookies. */
export interface Learn {
	readonly request: HttpRequest;
	readonly expect: Expectation;
	/** The header `set-cookie` yields all cookies, as `name=value; name=value`. */
	readonly from: { readonly header: string } | { readonly cookie: string } | { readonly json: string };
	/** Lower-case request header that gets the value. */
	readonly sendAs: string;
	/** Text with `{{value}}`; the bare value when absent. */
	readonly template?: string;
}

/** At most `max` answers of `status` in any `seconds`; more mean a broken rate limiter. */
export interface StatusLimit {
	readonly status: number;
	readonly max: number;
	readonly seconds: Seconds;
}

export type Load = Infer<typeof LOAD>;
export const LOAD = objectOf({
	connections: COUNT,
	pipelining: COUNT,
	/** Requests a second per side, regardless of answers; a closed loop when absent. */
	rate: optional(NUMBER),
});

export const MARGIN_FIELDS = {
	/** D1: a larger drop fails. */
	threshold: NUMBER,
	/** D0: a drop of at most this size is harmless. */
	tolerance: NUMBER,
};

/** As fractions. */
export type Margins = Infer<typeof MARGINS>;
export const MARGINS = objectOf(MARGIN_FIELDS);

export interface LoadedRequest {
	/** Relative frequency, a whole number. */
	readonly weight: number;
	readonly request: HttpRequest;
	readonly expect: Expectation;
}

/** One kind of request, or a mix. */
export interface Scenario {
	readonly name: string;
	readonly description: string;
	/** Groups besides `all`, e.g. `core`. */
	readonly groups: readonly string[];
	/** For a mix, its first request: use `requestsOf`. */
	readonly request: HttpRequest;
	readonly expect: Expectation;
	/** Present for several requests, or with `data`. */
	readonly mix?: readonly LoadedRequest[];
	readonly data?: DataFile;
	readonly checks: readonly Check[];
	readonly learn?: Learn;
	readonly statusLimit?: StatusLimit;
	readonly load: Load;
	/** Replace the gate's metrics; fresh processes are then not loaded in windows. */
	readonly metrics?: readonly MetricName[];
	/** Processes sharing one server's port. */
	readonly workers?: number;
	/** Calls the server's program inside its process, without a socket. */
	readonly inProcess?: true;
	/** Numbers of connections that a ranking measures in turn. */
	readonly ramp?: readonly number[];
	/** D1; the config's threshold when absent. */
	readonly threshold?: Fraction;
	/** D0; half the scenario's threshold when absent. */
	readonly tolerance?: Fraction;
	readonly origin: 'built-in' | 'config';
}

export function requestsOf(scenario: Pick<Scenario, 'mix' | 'request' | 'expect'>): readonly LoadedRequest[] {
	const { mix, request, expect } = scenario;
	return mix ?? [{ weight: 1, request, expect }];
}

export interface BuiltinServer {
	readonly kind: 'built-in';
	/** Folder name under `servers/`. */
	readonly name: string;
	/** Maps each unsupported built-in scenario to the reason. */
	readonly without?: Readonly<Record<string, string>>;
	/** Scenarios on a preset's page; all supported ones when absent. */
	readonly scenarios?: readonly string[];
}

export interface CustomServer {
	readonly kind: 'custom';
	readonly name: string;
	/** Shell command, with PORT, HOST and NODE_ENV=production. */
	readonly command: string;
	/** Relative to the side's checkout. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Shell command that completes before each process starts. */
	readonly start?: string;
	/** Shell command after each process. */
	readonly stop?: string;
	/**
	 * Ready when `path` answers below 500; without `path`, when the port accepts connections. The timeout also limits
	 * `start` and `stop`.
	 */
	readonly ready: { readonly path?: string; readonly timeoutSeconds: Seconds };
	/** Default: `answeredBy`. */
	readonly scenarios?: readonly string[];
	/** Relative to the side's checkout. */
	readonly writable?: readonly string[];
	/** Overrides `Config.reads`. */
	readonly reads?: readonly string[];
}

/** Replaces a released package on both sides, in every built-in server that uses it. */
export interface PackageOverride {
	readonly name: string;
	/** A folder or tarball relative to the working directory, or a registry version, range or `NAME@VERSION`. */
	readonly place: string;
}

export type ServerSpec = BuiltinServer | CustomServer;

export const INCONCLUSIVE_POLICIES = ['pass', 'fail', 'neutral'] as const;
export type InconclusivePolicy = (typeof INCONCLUSIVE_POLICIES)[number];
export const INCONCLUSIVE_POLICY = enumOf(INCONCLUSIVE_POLICIES);

export const DRIFT_POLICIES = ['advisory', 'enforce'] as const;
export type DriftPolicy = (typeof DRIFT_POLICIES)[number];
export const DRIFT_POLICY = enumOf(DRIFT_POLICIES);

export const UNCOVERED_POLICIES = ['pass', 'neutral'] as const;
export const UNCOVERED_POLICY = enumOf(UNCOVERED_POLICIES);

export type MetricMargins = Readonly<Partial<Record<MetricName, Margins>>>;

export type GatePolicy = Infer<typeof GATE_POLICY>;
export const GATE_POLICY = objectOf({
	onInconclusive: INCONCLUSIVE_POLICY,
	/** Only these can fail the gate. */
	metrics: listOf(METRIC),
	/** If no row runs some changed code; `pass` when absent. */
	uncovered: optional(UNCOVERED_POLICY),
	/** Last advisory day (UTC, `2026-12-24`). */
	enforceAfter: optional(TEXT),
	/** `advisory` when absent. */
	drift: optional(DRIFT_POLICY),
	/** Smallest drop since the anchor that counts as drift; twice the threshold when absent. */
	driftThreshold: optional(NUMBER),
	margins: optional(schemaOf<MetricMargins>({ type: 'object', additionalProperties: MARGINS })),
});

/** Scenarios of the group `auto` that the budget does not hold. */
export interface SpareScenarios {
	/** Those of the group that it holds. */
	readonly chosen: readonly string[];
	readonly others: readonly Scenario[];
}

/** `auto`: the most that fit the machine. `smt`: one lane a core, on its two hardware threads. */
export const LANE_WORDS = ['auto', 'smt'] as const;
/** Number of cells measured concurrently; a number that does not fit the machine is an error. */
export type LanesWish = (typeof LANE_WORDS)[number] | number;

export const MOST_LANES = 64;

export interface Limits {
	/** CPUs of servers and generator; chosen automatically when absent. */
	readonly serverCpus?: readonly number[];
	readonly loadCpus?: readonly number[];
	/** A server whose processes together use more resident memory is killed; unlimited when absent. */
	readonly memoryLimit?: Bytes;
	/** Overrides each server's timeout. */
	readonly readyTimeoutSeconds?: Seconds;
}

/** Complete, so later stages read no flag, file or default. */
export interface Config extends Limits {
	/** Absent if only flags were given. */
	readonly file?: string;
	/** Package folder, relative to each side's checkout. */
	readonly subject: string;
	/**
	 * Shell command, run once per side before packing or starting; dependencies are installed from the lockfile when
	 * absent.
	 */
	readonly prepare?: string;
	/** Limit of each step. */
	readonly prepareTimeoutSeconds: Seconds;
	/** `side` when absent. */
	readonly prepareAs?: PrepareAs;
	readonly isolation?: IsolationWish;
	/** A lower level is an error. */
	readonly isolationRequired?: RequiredLevel;
	/** The current Node when absent. */
	readonly runtime?: AskedRuntime;
	readonly baseRuntime?: AskedRuntime;
	readonly headRuntime?: AskedRuntime;
	/** Folders from the repository root that both sides take from one revision. */
	readonly harness?: readonly string[];
	/** Inputs of servers and builds, from the repository root; everything when absent. */
	readonly reads?: readonly string[];
	/** Replace locked versions in built-in servers, except the subject's. */
	readonly packages?: readonly PackageOverride[];
	readonly servers: readonly ServerSpec[];
	readonly scenarios: readonly Scenario[];
	readonly spare?: SpareScenarios;
	readonly threshold: Fraction;
	readonly tolerance: Fraction;
	/** Wall time. */
	readonly budgetSeconds: Seconds;
	/** Warm-up of fresh servers; the design's default when absent. */
	readonly warmupSeconds?: Seconds;
	readonly design: Design;
	readonly gate: GatePolicy;
	/** Random unless given; printed in every report. */
	readonly seed: number;
	/** Maximum per cell; planned from the budget when absent. */
	readonly rounds?: number;
	/** Cells measured concurrently. */
	readonly lanes?: LanesWish;
	/** Rows that run no changed code are measured too. */
	readonly skipUnaffected?: false;
}

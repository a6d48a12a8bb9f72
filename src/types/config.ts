import type { IsolationWish, PrepareAs, RequiredLevel } from './isolation.ts';
import type { LanesWish } from './lanes.ts';
import type { Limits } from './limits.ts';
import { METRIC, type MetricName } from './metric.ts';
import type { AskedRuntime } from './runtime.ts';
import { COUNT, enumOf, type Infer, listOf, NUMBER, objectOf, optional, schemaOf, TEXT } from './schema.ts';
import type { Fraction, Seconds } from './units.ts';

export const DESIGNS = ['duet', 'alternating', 'sequential'] as const;
/** How a round loads its two processes. */
export type Design = (typeof DESIGNS)[number];
export const DESIGN = enumOf(DESIGNS);

/** Seeds are drawn below this: short enough to be typed again. */
export const SEED_LIMIT = 2 ** 31;

/** A request as it is sent. */
export interface HttpRequest {
	readonly method: string;
	/** Path and query, starting with `/`. */
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Body text as sent; a JSON body is already serialised and its content-type header set. */
	readonly body?: string;
	/** How values of a data file are written into `body`: as parts of a JSON document, URL-encoded, or as they are when absent. */
	readonly bodyKind?: 'json' | 'form';
}

/** A value of a data file. */
export type DataValue = string | number | boolean;

/** One row of a data file: column to value. */
export type DataRow = Readonly<Record<string, DataValue>>;

/** The rows whose values replace placeholders such as `{{id}}` in the requests of a scenario. */
export interface DataFile {
	/** As the config names it: relative to the config's own folder. */
	readonly file: string;
	/** In the order of the file, with the columns that the scenario uses. Empty where nobody has read the file. */
	readonly rows: readonly DataRow[];
}

/** What a right answer looks like. Body expectations (`json`, `text`, `bodyBytes`) apply to answers with the first status. */
export interface Expectation {
	/** Allowed statuses, the usual one first. */
	readonly status: readonly number[];
	/** What the parsed body contains: each key given, with an equal value, at any depth; `<any>`, `<string>`, `<number>`, `<uuid>` match by kind. */
	readonly json?: unknown;
	/** Exact body text. */
	readonly text?: string;
	/** Exact body length in bytes after decompression. */
	readonly bodyBytes?: number;
	/** Header (lower case) to exact value, `<any>` for "present", or `<json>` for application/json. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Beside these, those of answers with one of the statuses: status to headers, as above. */
	readonly headersOf?: Readonly<Record<string, Readonly<Record<string, string>>>>;
	/** Part of the answer that must be equal on both sides, besides the status; the body when absent. */
	readonly compare?: Comparison;
	/** Patterns, with `*`, of text in bodies to exclude from the comparison. */
	readonly ignore?: readonly string[];
}

export const COMPARISONS = ['status', 'headers', 'body'] as const;
/** Part of an answer compared between the sides; the status always is. */
export type Comparison = (typeof COMPARISONS)[number];

/** An extra request and its right answer, asked once per process pair before load, never loaded: the negative cases. */
export interface Check {
	readonly name: string;
	readonly request: HttpRequest;
	readonly expect: Expectation;
}

/** A value of a first answer that the loaded request sends back: an ETag, a token, cookies. */
export interface Learn {
	readonly request: HttpRequest;
	readonly expect: Expectation;
	/** Where the value stands. Of the header `set-cookie` it is all cookies, as `name=value; name=value`. */
	readonly from: { readonly header: string } | { readonly cookie: string } | { readonly json: string };
	/** Request header to send it as, lower case. */
	readonly sendAs: string;
	/** Text to send, with `{{value}}` for the value; the value alone when absent. */
	readonly template?: string;
}

/** At most `max` answers of `status` in any `seconds` (rate limiting that does not limit is a wrong answer). */
export interface StatusLimit {
	readonly status: number;
	readonly max: number;
	readonly seconds: Seconds;
}

export type Load = Infer<typeof LOAD>;
export const LOAD = objectOf({
	connections: COUNT,
	pipelining: COUNT,
	/** Requests a second that each side is sent, whatever it has answered; as many as it answers when absent. */
	rate: optional(NUMBER),
});

/** How far a row may drop, as fractions. */
export const MARGIN_FIELDS = {
	/** D1: a row fails beyond it. */
	threshold: NUMBER,
	/** D0: harmless up to it. */
	tolerance: NUMBER,
};

/** How far a row may drop: harmless up to `tolerance`, failing beyond `threshold`. */
export type Margins = Infer<typeof MARGINS>;
export const MARGINS = objectOf(MARGIN_FIELDS);

/** One request of a scenario that is loaded. */
export interface LoadedRequest {
	/** How often it is sent, in proportion to the weights of the others: a whole number from 1. */
	readonly weight: number;
	readonly request: HttpRequest;
	readonly expect: Expectation;
}

/** One request shape, or a mix of several, with what is expected and its load. */
export interface Scenario {
	readonly name: string;
	readonly description: string;
	/** Groups it belongs to besides `all`, e.g. `core`. */
	readonly groups: readonly string[];
	/** The first one, where there is a mix; `requestsOf` has all. */
	readonly request: HttpRequest;
	readonly expect: Expectation;
	/** Everything that is loaded, where that is more than one request as it stands: several, or one filled from `data`. */
	readonly mix?: readonly LoadedRequest[];
	readonly data?: DataFile;
	readonly checks: readonly Check[];
	readonly learn?: Learn;
	readonly statusLimit?: StatusLimit;
	readonly load: Load;
	/** What it measures instead of what the gate names: fresh processes are not loaded in windows then; absent for most. */
	readonly metrics?: readonly MetricName[];
	/** So many worker processes of one server share its port; one process when absent. */
	readonly workers?: number;
	/** Requests are handed to the server's program inside of its process, without a socket. */
	readonly inProcess?: true;
	/** Numbers of connections that a ranking loads it with, one after the other; those of `load` alone when absent. */
	readonly ramp?: readonly number[];
	/** D1 of this scenario; the config's when absent. */
	readonly threshold?: Fraction;
	/** D0 of this scenario; half its threshold when absent. */
	readonly tolerance?: Fraction;
	/** Where it is defined: `built-in`, or in the user's config. */
	readonly origin: 'built-in' | 'config';
}

/** Returns every request that is loaded in a scenario, in the order of the config. */
export function requestsOf(scenario: Pick<Scenario, 'mix' | 'request' | 'expect'>): readonly LoadedRequest[] {
	const { mix, request, expect } = scenario;
	return mix ?? [{ weight: 1, request, expect }];
}

export interface BuiltinServer {
	readonly kind: 'built-in';
	/** Folder name under `servers/`. */
	readonly name: string;
	/** Built-in scenarios it does not answer, each with the reason; absent when it answers all. */
	readonly without?: Readonly<Record<string, string>>;
	/** What it is asked, where a preset's page has it in some scenarios only; all it answers when absent. */
	readonly scenarios?: readonly string[];
}

export interface CustomServer {
	readonly kind: 'custom';
	readonly name: string;
	/** Shell command, run in `cwd` with PORT, HOST and NODE_ENV=production. */
	readonly command: string;
	/** Relative to the side's checkout. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Shell command that is run to its end before each process. */
	readonly start?: string;
	/** Shell command that is run after each process. */
	readonly stop?: string;
	/** Ready when `path` answers below 500; without it, when the port accepts a connection. The time is that of `start` and `stop`, too. */
	readonly ready: { readonly path?: string; readonly timeoutSeconds: Seconds };
	/** Names of the scenarios it answers; see `answeredBy` for the default. */
	readonly scenarios?: readonly string[];
	/** Folders it may write, relative to the side's checkout. */
	readonly writable?: readonly string[];
	/** As `Config` has it, of this server alone. */
	readonly reads?: readonly string[];
}

/** A package that takes the place of the released one, on both sides alike, in every built-in server that has it. */
export interface PackageOverride {
	/** As its package.json says. */
	readonly name: string;
	/** A folder or tarball, relative to where benchgate runs, or a version, range or `NAME@VERSION` of the registry. */
	readonly place: string;
}

/** An HTTP server program that can be loaded. */
export type ServerSpec = BuiltinServer | CustomServer;

export const INCONCLUSIVE_POLICIES = ['pass', 'fail', 'neutral'] as const;
export type InconclusivePolicy = (typeof INCONCLUSIVE_POLICIES)[number];
export const INCONCLUSIVE_POLICY = enumOf(INCONCLUSIVE_POLICIES);

/** Whether a branch that has drifted from its anchor fails a run. */
export const DRIFT_POLICIES = ['advisory', 'enforce'] as const;
export type DriftPolicy = (typeof DRIFT_POLICIES)[number];
export const DRIFT_POLICY = enumOf(DRIFT_POLICIES);

/** Margins of the rows of some metrics, whatever the scenario. */
export type MetricMargins = Readonly<Partial<Record<MetricName, Margins>>>;

export type GatePolicy = Infer<typeof GATE_POLICY>;
export const GATE_POLICY = objectOf({
	onInconclusive: INCONCLUSIVE_POLICY,
	/** Metrics whose rows can fail the gate. */
	metrics: listOf(METRIC),
	/** Last day (UTC, `2026-12-24`) on which a red gate blocks nothing; absent when it holds at once. */
	enforceAfter: optional(TEXT),
	/** Whether drift of the main branch fails a run; advisory when absent. */
	drift: optional(DRIFT_POLICY),
	/** A drop since the anchor of this fraction or more is drift; twice the threshold when absent. */
	driftThreshold: optional(NUMBER),
	/** Of those metrics whose rows have margins of their own. */
	margins: optional(schemaOf<MetricMargins>({ type: 'object', additionalProperties: MARGINS })),
});

/** Validated and complete: nothing downstream reads a flag, a file or a default again. */
export interface Config extends Limits {
	/** File it was read from, for messages; absent when everything came from flags. */
	readonly file?: string;
	/** Folder of the package under test, relative to each side's checkout. */
	readonly subject: string;
	/** Shell command run once per side before packing or starting; install by lockfile when absent. */
	readonly prepare?: string;
	/** Longest time one step of preparing a side may take. */
	readonly prepareTimeoutSeconds: Seconds;
	/** Who builds: the side's user, or whoever runs benchgate; the side when absent. */
	readonly prepareAs?: PrepareAs;
	/** Who the code under test runs as; the default when absent. */
	readonly isolation?: IsolationWish;
	/** Less than that is an error. */
	readonly isolationRequired?: RequiredLevel;
	/** What servers run on; the Node at hand when absent. */
	readonly runtime?: AskedRuntime;
	/** The same of one side alone. */
	readonly baseRuntime?: AskedRuntime;
	readonly headRuntime?: AskedRuntime;
	/** Folders of bench servers, relative to the top of the repository: both sides get those of one revision. */
	readonly harness?: readonly string[];
	/** Paths from the top of the repository that servers and their builds read; everything when absent. A server may have its own. */
	readonly reads?: readonly string[];
	/** What built-in servers run instead of what their lockfiles say, besides the subject. */
	readonly packages?: readonly PackageOverride[];
	readonly servers: readonly ServerSpec[];
	readonly scenarios: readonly Scenario[];
	/** D1: a drop beyond it fails. */
	readonly threshold: Fraction;
	/** D0: a drop up to it is harmless. */
	readonly tolerance: Fraction;
	/** Wall time for measuring. */
	readonly budgetSeconds: Seconds;
	/** How long fresh servers are warmed up; what the design plans when absent. */
	readonly warmupSeconds?: Seconds;
	readonly design: Design;
	readonly gate: GatePolicy;
	/** Drawn at random by the entry when the user gave none; printed in every report. */
	readonly seed: number;
	/** Most rounds a cell may use; planned from the budget when absent. */
	readonly rounds?: number;
	/** How many cells are measured at the same time; one when absent. */
	readonly lanes?: LanesWish;
}

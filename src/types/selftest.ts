import { METRIC } from './metric.ts';
import { ENVIRONMENT } from './result.ts';
import { ENDED } from './round.ts';
import {
	COUNT,
	define,
	described,
	documentOf,
	enumOf,
	FLAG,
	FRACTION,
	type Infer,
	limited,
	listOf,
	literal,
	NUMBER,
	NUMBER_OR_NULL,
	objectOf,
	optional,
	orNull,
	ref,
	SECONDS,
	schemaOf,
	TEXT,
} from './schema.ts';
import { TOOL, WARNING } from './units.ts';
import { INTERVAL, VERDICT } from './verdict.ts';

export const SELFTEST_SCHEMA_VERSION = 1;

const DROP = described(
	limited(NUMBER, { minimum: 0 }),
	'injected drop in throughput, a fraction; 0 for a server against itself',
);
const SECONDS_OR_NULL = schemaOf<number | null>({ type: ['number', 'null'], minimum: 0, description: 'seconds' });
const FLAG_OR_NULL = schemaOf<boolean | null>({ type: ['boolean', 'null'] });

/** One comparison of a server with itself, decided as `compare` decides. */
export type SelftestTrial = Infer<typeof SELFTEST_TRIAL>;
const SELFTEST_TRIAL = define(
	'trial',
	objectOf({
		/** 1-based. */
		trial: COUNT,
		drop: DROP,
		amount: described(
			limited(NUMBER, { minimum: 0 }),
			'injected CPU time, a fraction of what a request costs by itself',
		),
		server: TEXT,
		scenario: TEXT,
		seed: NUMBER,
		verdict: VERDICT,
		judgedBy: METRIC,
		change: described(NUMBER_OR_NULL, '(head − base) / base of the metric that judged'),
		interval: orNull(ref(INTERVAL)),
		/** Null without an interval. */
		covered: described(FLAG_OR_NULL, 'whether the interval holds the injected change'),
		d: described(listOf(NUMBER), 'signed log ratio of throughput of each main round; negative is worse'),
		dCpu: described(listOf(NUMBER), 'the same of CPU time per request; empty where nobody can tell'),
		/** Main and confirm rounds. */
		rounds: COUNT,
		seconds: SECONDS,
		ended: ref(ENDED),
		warnings: listOf(ref(WARNING)),
	}),
);

export type Share = Infer<typeof SHARE>;
const SHARE = define(
	'share',
	described(
		objectOf({ count: COUNT, of: COUNT, low: FRACTION, high: FRACTION }),
		'how many of how many, with the exact 95 % interval of the probability',
	),
);

/** Its interval is a t interval; null ends with one round. */
export type Figure = Infer<typeof FIGURE>;
const FIGURE = define(
	'figure',
	described(
		objectOf({ value: FRACTION, low: NUMBER_OR_NULL, high: NUMBER_OR_NULL, rounds: COUNT }),
		'mean over rounds as a change, with its 95 % interval',
	),
);

/** Outcomes of the completed trials with one injected drop. */
export type DropResult = Infer<typeof DROP_RESULT>;
const DROP_RESULT = define(
	'drop',
	objectOf({
		drop: DROP,
		/** Trials found regressed: the power. */
		regressed: ref(SHARE),
		unchanged: COUNT,
		inconclusive: COUNT,
		improved: COUNT,
		/** Change in throughput that both sides' CPU time per request amounts to, over all rounds; null when unknown. */
		achieved: orNull(ref(FIGURE)),
		secondsPerTrial: SECONDS_OR_NULL,
	}),
);

export type ServerSpread = Infer<typeof SERVER_SPREAD>;
const SERVER_SPREAD = define(
	'server',
	objectOf({
		server: TEXT,
		rounds: COUNT,
		/** Standard deviation of d over rounds, within trials. */
		roundSd: NUMBER,
		/** The same from the median distance from the median: rounds far out hardly count. */
		robustSd: NUMBER,
		secondsPerRound: SECONDS,
	}),
);

/** The smallest threshold with which a matrix can be decided in a budget. */
export type Support = Infer<typeof SUPPORT>;
const SUPPORT = define(
	'support',
	objectOf({
		cells: COUNT,
		budget: SECONDS,
		/** A fraction; null when none up to 25 % can. */
		threshold: NUMBER_OR_NULL,
		/** Server that needs the most. */
		server: TEXT,
	}),
);

/** What one server's rounds cost alone, and while all lanes measured. */
export type LaneServer = Infer<typeof LANE_SERVER>;
const LANE_SERVER = objectOf({
	server: TEXT,
	/** Standard deviation of d over rounds. */
	aloneSd: NUMBER,
	togetherSd: NUMBER,
	/** Mean length of a round. */
	aloneSeconds: SECONDS,
	togetherSeconds: SECONDS,
	/** Cost of certainty (SD² × seconds / lanes) alone, divided by that of all lanes. */
	gain: NUMBER,
});

/** Whether measuring in several lanes is worth it. */
export type LaneCheck = Infer<typeof LANE_CHECK>;
const LANE_CHECK = objectOf({
	lanes: COUNT,
	pinning: described(TEXT, 'CPUs of each lane'),
	/** Mean change of a server against itself while all lanes measured. */
	bias: orNull(ref(FIGURE)),
	/** The drop that was planted. */
	drop: DROP,
	/** What it looked like alone, and while all lanes measured. */
	alone: orNull(ref(FIGURE)),
	together: orNull(ref(FIGURE)),
	/** The geometric mean over servers; null without any. */
	gain: described(NUMBER_OR_NULL, 'how many times less certainty costs than in one lane'),
	servers: listOf(LANE_SERVER),
	worth: described(FLAG_OR_NULL, 'null where too few rounds were measured'),
	/** A sentence for each thing that speaks against it. */
	reasons: listOf(TEXT),
});

/** Whether the machine offers something, and what, or why not. */
export type Feature = Infer<typeof FEATURE>;
const FEATURE = define('feature', objectOf({ available: FLAG, note: TEXT }));

/** What `benchgate selftest --json` writes and its reports are rendered from. */
export type SelftestResult = Infer<typeof SELFTEST_SCHEMA>;
/** schema/selftest.schema.json. */
export const SELFTEST_SCHEMA = documentOf(
	'benchgate selftest',
	objectOf({
		schemaVersion: literal(SELFTEST_SCHEMA_VERSION),
		kind: literal('benchgate-selftest'),
		tool: ref(TOOL),
		createdAt: described(TEXT, 'ISO 8601'),
		seed: NUMBER,
		threshold: FRACTION,
		tolerance: FRACTION,
		budget: SECONDS,
		/** Why no further trial was begun: no time left, stopped, or nothing can be measured here. */
		ended: enumOf(['budget', 'interrupted', 'hopeless']),
		/** `sound`: nothing speaks against the gate here. `unsound`: too many false alarms or wrong intervals, surely. */
		trust: enumOf(['sound', 'unsound', 'unmeasured']),
		/** A sentence for each thing that speaks against the gate, or why nothing was measured. */
		reasons: listOf(TEXT),
		/** Servers against themselves called regressed. */
		falseAlarms: ref(SHARE),
		/** Servers against themselves called improved. */
		falseImprovements: COUNT,
		drops: listOf(ref(DROP_RESULT)),
		/** Intervals that hold the truth: of all completed trials, of servers against themselves, of injected ones. */
		coverage: objectOf({ all: ref(SHARE), same: ref(SHARE), injected: ref(SHARE) }),
		/** Mean change of a server against itself; null without rounds. */
		positionBias: orNull(ref(FIGURE)),
		servers: listOf(ref(SERVER_SPREAD)),
		/** Wall time of all completed trials per decided one; null without any. */
		secondsPerDecision: SECONDS_OR_NULL,
		supports: listOf(ref(SUPPORT)),
		lanes: optional(described(LANE_CHECK, 'whether more than one lane is worth it; absent unless asked for')),
		pinning: ref(FEATURE),
		cpuTime: ref(FEATURE),
		instructionCounters: ref(FEATURE),
		environment: ref(ENVIRONMENT),
		warnings: listOf(ref(WARNING)),
		/** From the first process start to the last stop. */
		measuringSeconds: SECONDS,
		/** Exact command that repeats it. */
		reproduce: TEXT,
		trials: listOf(ref(SELFTEST_TRIAL)),
	}),
	[
		...[TOOL, WARNING, ENVIRONMENT, ENDED, INTERVAL, SHARE, FIGURE, DROP_RESULT],
		...[SERVER_SPREAD, SUPPORT, FEATURE, SELFTEST_TRIAL],
	],
);

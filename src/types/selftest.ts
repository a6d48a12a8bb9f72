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

/** A server against itself, decided as by `compare`. */
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
		covered: described(FLAG_OR_NULL, 'whether the interval holds the injected change'),
		d: described(listOf(NUMBER), 'signed log ratio of throughput of each main round; negative is worse'),
		dCpu: described(listOf(NUMBER), 'the same of CPU time per request; empty where it is unknown'),
		/** Main and confirm. */
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

/** Mean with a t interval; its ends are null after one round. */
export type Figure = Infer<typeof FIGURE>;
const FIGURE = define(
	'figure',
	described(
		objectOf({ value: FRACTION, low: NUMBER_OR_NULL, high: NUMBER_OR_NULL, rounds: COUNT }),
		'mean over rounds as a change, with its 95 % interval',
	),
);

export type DropResult = Infer<typeof DROP_RESULT>;
const DROP_RESULT = define(
	'drop',
	objectOf({
		drop: DROP,
		/** Their share is the power. */
		regressed: ref(SHARE),
		unchanged: COUNT,
		inconclusive: COUNT,
		improved: COUNT,
		/** Drop implied by both sides' CPU time per request. */
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
		/** From the median absolute deviation; insensitive to outliers. */
		robustSd: NUMBER,
		secondsPerRound: SECONDS,
	}),
);

/** Smallest threshold that a budget can decide. */
export type Support = Infer<typeof SUPPORT>;
const SUPPORT = define(
	'support',
	objectOf({
		cells: COUNT,
		budget: SECONDS,
		/** A fraction; null if above 25 %. */
		threshold: NUMBER_OR_NULL,
		/** The server that limits it. */
		server: TEXT,
	}),
);

/** Rounds of one lane alone, against rounds while all lanes measure. */
export type LaneServer = Infer<typeof LANE_SERVER>;
const LANE_SERVER = objectOf({
	server: TEXT,
	/** Standard deviation of d over rounds. */
	aloneSd: NUMBER,
	togetherSd: NUMBER,
	/** Time per round. */
	aloneSeconds: SECONDS,
	togetherSeconds: SECONDS,
	/** Cost of certainty (SD² × seconds / lanes) of one lane alone, divided by that of all lanes. */
	gain: NUMBER,
});

export type LaneCheck = Infer<typeof LANE_CHECK>;
const LANE_CHECK = objectOf({
	lanes: COUNT,
	pinning: described(TEXT, 'CPUs of each lane'),
	/** Mean change of a server against itself while all lanes measure. */
	bias: orNull(ref(FIGURE)),
	/** Planted. */
	drop: DROP,
	/** Estimates of the drop: of one lane alone, and while all lanes measure. */
	alone: orNull(ref(FIGURE)),
	together: orNull(ref(FIGURE)),
	/** Geometric mean over servers. */
	gain: described(NUMBER_OR_NULL, 'how many times less certainty costs than in one lane'),
	servers: listOf(LANE_SERVER),
	worth: described(FLAG_OR_NULL, 'null where too few rounds were measured'),
	/** One sentence per objection. */
	reasons: listOf(TEXT),
});

export type Feature = Infer<typeof FEATURE>;
const FEATURE = define('feature', objectOf({ available: FLAG, note: TEXT }));

/** Written by `benchgate selftest --json`; its reports are made from it. */
export type SelftestResult = Infer<typeof SELFTEST_SCHEMA>;
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
		/** Time ran out, the run was stopped, or nothing could be measured. */
		ended: enumOf(['budget', 'interrupted', 'hopeless']),
		/** `unsound`: surely too many false alarms or wrong intervals. */
		trust: enumOf(['sound', 'unsound', 'unmeasured']),
		/** One sentence per objection, or why nothing was measured. */
		reasons: listOf(TEXT),
		/** Trials found regressed without a drop. */
		falseAlarms: ref(SHARE),
		/** Trials found improved without a drop. */
		falseImprovements: COUNT,
		drops: listOf(ref(DROP_RESULT)),
		/** Intervals that contain the true change. */
		coverage: objectOf({ all: ref(SHARE), same: ref(SHARE), injected: ref(SHARE) }),
		/** Mean change of a server against itself. */
		positionBias: orNull(ref(FIGURE)),
		servers: listOf(ref(SERVER_SPREAD)),
		/** Wall time per decided trial. */
		secondsPerDecision: SECONDS_OR_NULL,
		supports: listOf(ref(SUPPORT)),
		lanes: optional(described(LANE_CHECK, 'whether more than one lane saves time; absent unless requested')),
		pinning: ref(FEATURE),
		cpuTime: ref(FEATURE),
		instructionCounters: ref(FEATURE),
		environment: ref(ENVIRONMENT),
		warnings: listOf(ref(WARNING)),
		/** First process start to last stop. */
		measuringSeconds: SECONDS,
		reproduce: TEXT,
		trials: listOf(ref(SELFTEST_TRIAL)),
	}),
	[
		...[TOOL, WARNING, ENVIRONMENT, ENDED, INTERVAL, SHARE, FIGURE, DROP_RESULT],
		...[SERVER_SPREAD, SUPPORT, FEATURE, SELFTEST_TRIAL],
	],
);

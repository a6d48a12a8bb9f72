import { DESIGN, DESIGNS } from './config.ts';
import {
	COUNT,
	define,
	described,
	enumOf,
	FLAG,
	type Infer,
	limited,
	listOf,
	literal,
	mapOf,
	NUMBER,
	NUMBER_OR_NULL,
	ORDINAL,
	objectOf,
	optional,
	orNull,
	ref,
	SECONDS,
	schemaOf,
	TEXT,
} from './schema.ts';
import {
	type Bytes,
	type Fraction,
	type Microseconds,
	type Seconds,
	SIDE_OR_NULL,
	type Sides,
	sidesOf,
} from './units.ts';

/** Sparse histogram: ascending pairs [value in µs, count], values rounded to two significant digits. */
export type LatencyHistogram = Infer<typeof LATENCY_HISTOGRAM>;
/** Not an integer: counts of a scripted laboratory may be fractions. */
const AMOUNT = limited(NUMBER, { minimum: 0 });
const LATENCY_HISTOGRAM = listOf(
	schemaOf<readonly [Microseconds, number]>({
		type: 'array',
		prefixItems: [AMOUNT, AMOUNT],
		minItems: 2,
		items: false,
		description: '[microseconds, count]',
	}),
);

const WINDOW_SIDE = define(
	'windowSide',
	objectOf({
		/** For windows in turn, `seconds` and `cpuSeconds` include the afterwork of their answers (decision 0065). */
		seconds: SECONDS,
		/** Counts answers of any status. */
		completed: AMOUNT,
		/**
		 * If half of an answer's time is inside the window, it counts half. Waiting for the last answers stops at the
		 * turn's end. Absent where only whole answers count (fixed rate, windows in turn).
		 */
		answers: optional(described(AMOUNT, 'right answers, each by the part of its time that lies in the window')),
		bytes: AMOUNT,
		statuses: mapOf(AMOUNT),
		/** Answers with a wrong status, or a wrong body where sampled. */
		unexpected: AMOUNT,
		/** Connection errors, resets and timeouts. */
		errors: AMOUNT,
		/** Requests without an answer for ten seconds; absent if not counted. */
		timeouts: optional(described(AMOUNT, 'those of the errors that were timeouts')),
		/** Absent if zero. */
		resent: optional(described(AMOUNT, 'requests that were lost with a connection in use, and sent again')),
		resentMoments: optional(described(AMOUNT, 'stretches of 10 ms in which any were')),
		/** Of the process tree. */
		cpuSeconds: NUMBER_OR_NULL,
		/** Measured from the due time at a fixed rate, else from the write of the request. */
		latency: LATENCY_HISTOGRAM,
		/** Approximate. */
		restingCpuSeconds: optional(
			described(NUMBER_OR_NULL, 'in alternating windows: CPU time of the other side, which rests'),
		),
		due: optional(described(AMOUNT, 'at a fixed rate: requests that fell due')),
		/** See docs/statistics.md 14. */
		late: optional(described(AMOUNT, 'at a fixed rate: requests that were sent late')),
	}),
);

/** Timed by benchgate's own clock. */
export interface WindowSide extends Infer<typeof WINDOW_SIDE> {
	/** Whole seconds of a long solo window. */
	readonly perSecond?: readonly { readonly requests: number; readonly bytes: Bytes }[];
	/** Steady stages of a solo window, if the driver reports them. Only rankings have them. */
	readonly steps?: readonly StepCounts[];
}

export interface StepCounts {
	readonly connections: number;
	readonly seconds: Seconds;
	readonly completed: number;
	readonly latency: LatencyHistogram;
}

const SIDE_START = objectOf({
	/** From spawn to first answer; null also if both sides started simultaneously. */
	seconds: NUMBER_OR_NULL,
	/** Resident bytes of the process tree at rest. */
	memory: NUMBER_OR_NULL,
	/** Seconds from the stop signal to the first answer of the next process; present only if requested. */
	reload: optional(NUMBER_OR_NULL),
});

export interface SideStart extends Infer<typeof SIDE_START> {
	/** From a change of a watched file to the first answer with it. Only rankings measure it. */
	readonly hotReload?: Seconds | null;
}

/** A Node server reports these about one turn. Code under test can forge them. */
export interface Vitals {
	/** Share of the event loop's active time. */
	readonly gcShare: Fraction;
	readonly gcCount: number;
	/** Longest single collection. */
	readonly gcLongest: Seconds;
	/** Active share of the busiest process's event loop. */
	readonly loopActive: Fraction;
}

export type Window = Infer<typeof WINDOW>;
const WINDOW = define(
	'window',
	objectOf({
		/** A `solo` window loads one side alone, for absolute figures, and never influences a decision. */
		kind: enumOf([...DESIGNS, 'solo']),
		/** Seconds since the run began. */
		startedAt: NUMBER,
		base: orNull(schemaOf<WindowSide>(ref(WINDOW_SIDE))),
		head: orNull(schemaOf<WindowSide>(ref(WINDOW_SIDE))),
		/** Busy share of the generator's event loop, 0..1. */
		generatorUtilisation: NUMBER,
		generatorCpuSeconds: NUMBER,
		/** Use by other programs, as a share of one CPU. */
		otherCpu: NUMBER_OR_NULL,
		/** Idle seconds of the servers' CPU; null also when unpinned. */
		serverCpuIdle: NUMBER_OR_NULL,
	}),
);

/** Share of wrong or failed answers beyond which a cell's numbers are invalid. */
export const MOST_UNEXPECTED: Fraction = 0.001;

/** The server failed to start twice, each time with fresh processes. */
export const START_FAULTS: readonly string[] = ['start-failed', 'exited-at-start', 'never-listened', 'port-taken'];
/** No culprit: each side matches its expectation, but the answers differ. */
export const DIFFERENCES: readonly string[] = ['bodies-differ'];

/** A remark that counts if most rounds have it: headers can differ between processes. */
export const OTHER_HEADERS = 'other-headers';

/** Caused from outside the affected server. If the culprit is unknown, that server may be intact. */
export const REACHED_FAULTS: readonly string[] = ['stopped', 'foreign-connections', 'foreign-listener'];

/** Invalidates a cell's round, or describes its first wrong answer. */
export type Fault = Infer<typeof FAULT>;
export const FAULT = define(
	'fault',
	objectOf({
		/** `wrong-status`, `bodies-differ`, `crashed`, `never-listened`, … */
		code: TEXT,
		side: SIDE_OR_NULL,
		/** One sentence for the report; contains text of the code under test, escape it. */
		message: TEXT,
	}),
);

export type WorkerFigures = Infer<typeof WORKER_FIGURES>;
export const WORKER_FIGURES = objectOf({
	/** CPU time / wall time. */
	cpus: NUMBER,
	/** Resident bytes. */
	memory: NUMBER_OR_NULL,
});

/** Work of a side after a turn's load, with idle connections, until it uses no CPU for 0.5 s, or for at most 2 s. */
export type Afterwork = Infer<typeof AFTERWORK>;
const AFTERWORK = objectOf({
	cpuSeconds: SECONDS,
	/** Of the turn, including warm-up. */
	answers: AMOUNT,
	/** CPU use at the end, as a share of one CPU; 0 at rest. */
	unfinished: AMOUNT,
});

const PURPOSE = enumOf(['main', 'confirm', 'count']);

export type CountedAmounts = Infer<typeof COUNTED_AMOUNTS>;
const COUNTED_AMOUNTS = objectOf({
	roundTrips: orNull(AMOUNT),
	calls: orNull(AMOUNT),
	bytesAllocated: orNull(AMOUNT),
});

const CELL_ROUND = define(
	'cellRound',
	objectOf({
		cell: TEXT,
		round: COUNT,
		purpose: PURPOSE,
		design: DESIGN,
		windows: listOf(ref(WINDOW)),
		/** Highest resident bytes of the process tree during the turn. */
		memoryPeak: sidesOf(NUMBER_OR_NULL),
		/** Resident bytes of the process tree after its load. */
		memoryAfterLoad: optional(sidesOf(NUMBER_OR_NULL)),
		/**
		 * Resident bytes once both sides answered 100,000 requests of the turn; absent unless requested, null if they
		 * did not answer so many.
		 */
		memoryAfter: optional(sidesOf(NUMBER_OR_NULL)),
		/** Null for unreadable CPU time; absent in turns without this wait. */
		afterwork: optional(
			described(sidesOf(orNull(AFTERWORK)), 'what the sides did after the load, asked nothing, until they used no CPU'),
		),
		/** Control groups also count exited processes. */
		grouped: optional(described(literal(true), 'CPU times are those of control groups')),
		held: optional(described(literal(true), 'nothing of either side may leave the CPU of the servers')),
		/** Present only in the turn that loads the processes first. */
		start: optional(sidesOf(schemaOf<SideStart>(SIDE_START))),
		counted: optional(
			described(
				listOf(sidesOf(COUNTED_AMOUNTS)),
				'work a request, by repeat; only in a round of purpose count. Null where a fault gives the reason',
			),
		),
		faults: listOf(ref(FAULT)),
		/** Remarks make no number invalid. */
		remarks: optional(listOf(ref(FAULT))),
		/** Whether the generator runs on another CPU. */
		pinned: FLAG,
	}),
);

export interface CellRound extends Infer<typeof CELL_ROUND> {
	/** Present if a ranking requests it; null for a server without a report. Never in raw files. */
	readonly vitals?: Sides<Vitals | null>;
	/** Head's processes, only in rankings. */
	readonly workers?: readonly WorkerFigures[];
}

/** The unit of replication: each server's base and head run in fresh processes, loaded once. */
export type Round = Infer<typeof ROUND>;
export const ROUND = objectOf({
	round: COUNT,
	purpose: PURPOSE,
	/** Seconds since the run began. */
	startedAt: NUMBER,
	seconds: SECONDS,
	/** Seconds under counted load. */
	loadSeconds: SECONDS,
	cells: listOf(schemaOf<CellRound>(ref(CELL_ROUND))),
	shard: optional(described(ORDINAL, 'the machine that measured it, in a gathered file')),
	lane: optional(described(ORDINAL, 'the lane it ran in, where a machine had several')),
});

export const ROUND_DEFINITIONS = [FAULT, CELL_ROUND, WINDOW, WINDOW_SIDE];

export type EndReason = Infer<typeof ENDED>;
export const ENDED = define('ended', enumOf(['decided', 'rounds', 'budget', 'interrupted']));

export type LaneRun = Infer<typeof LANE_RUN>;
export const LANE_RUN = define(
	'laneRun',
	described(
		objectOf({
			lane: ORDINAL,
			/** Includes refused cells. */
			cells: described(listOf(TEXT), 'ids of the cells it measured'),
			ended: ref(ENDED),
		}),
		'what one lane of a machine did',
	),
);

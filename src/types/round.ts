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

/** Sparse histogram: [value in µs, count], ascending, values to two significant digits. */
export type LatencyHistogram = Infer<typeof LATENCY_HISTOGRAM>;
/** Counts of a scripted laboratory need not be whole. */
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
		/** Of a window in turn also what its answers still cost after it (decision 0065), here and in `cpuSeconds`. */
		seconds: SECONDS,
		/** Answers received, whatever their status. */
		completed: AMOUNT,
		/**
		 * An answer half of which lies in the window counts half. Waiting for the last answers ends with the turn. Absent where only whole
		 * answers are counted (at a fixed rate, in windows in turn), and in older files.
		 */
		answers: optional(described(AMOUNT, 'right answers, each by the part of its time that lies in the window')),
		bytes: AMOUNT,
		statuses: mapOf(AMOUNT),
		/** Answers whose status or sampled body was not expected. */
		unexpected: AMOUNT,
		/** Connection errors, resets and timeouts. */
		errors: AMOUNT,
		/** Requests without an answer for ten seconds; absent where they are not counted, and in older files. */
		timeouts: optional(described(AMOUNT, 'those of the errors that were timeouts')),
		/** Absent without any, and in older files. */
		resent: optional(described(AMOUNT, 'requests that were lost with a connection in use, and sent again')),
		/** Present beside `resent`. */
		resentMoments: optional(described(AMOUNT, 'stretches of 10 ms in which any were')),
		/** CPU time of the whole process tree; null where the platform cannot tell. */
		cpuSeconds: NUMBER_OR_NULL,
		/** At a fixed rate from when each request was due, else from when it was written. */
		latency: LATENCY_HISTOGRAM,
		/** Approximate. Null when unknown. */
		restingCpuSeconds: optional(
			described(NUMBER_OR_NULL, 'in alternating windows: CPU time of the other side, which rests'),
		),
		due: optional(described(AMOUNT, 'at a fixed rate: requests that fell due')),
		/** Later than they were due: docs/statistics.md 14. */
		late: optional(described(AMOUNT, 'at a fixed rate: requests that were sent late')),
	}),
);

/** What one side did in one window, counted between our own timestamps. */
export interface WindowSide extends Infer<typeof WINDOW_SIDE> {
	/** Of every whole second of a long solo window: answers and bytes per second. */
	readonly perSecond?: readonly { readonly requests: number; readonly bytes: Bytes }[];
	/** Of a solo window with stages, where the driver tells: its steady ones, in order. Never in raw data: no comparison has stages. */
	readonly steps?: readonly StepCounts[];
}

/** What a side did in a stage of a solo window in which as many connections were open all the time. */
export interface StepCounts {
	readonly connections: number;
	readonly seconds: Seconds;
	readonly completed: number;
	readonly latency: LatencyHistogram;
}

const SIDE_START = objectOf({
	/** From its spawn to its first answer, in seconds; null where the sides started at once, or it is unknown. */
	seconds: NUMBER_OR_NULL,
	/** Resident memory of its process tree at rest, in bytes; null when unknown. */
	memory: NUMBER_OR_NULL,
	/** Seconds from the signal that ends it to the first answer of the process that follows; absent unless asked for, null when unknown. */
	reload: optional(NUMBER_OR_NULL),
});

/** What a fresh process of a side was like before any load. */
export interface SideStart extends Infer<typeof SIDE_START> {
	/** From a change of a watched file to the first answer with it, null when unknown. Never in raw data: no comparison has it. */
	readonly hotReload?: Seconds | null;
}

/** What a server on Node reported about itself during a turn. Code under test could report anything. */
export interface Vitals {
	/** Time in garbage collections, as a share of the time its event loops were active. */
	readonly gcShare: Fraction;
	readonly gcCount: number;
	/** The longest single collection. */
	readonly gcLongest: Seconds;
	/** Share of the time in which the event loop of its busiest process was active. */
	readonly loopActive: Fraction;
}

export type Window = Infer<typeof WINDOW>;
const WINDOW = define(
	'window',
	objectOf({
		/** `solo` windows load one side alone for absolute figures and never enter a decision. */
		kind: enumOf([...DESIGNS, 'solo']),
		/** Seconds since the run began. */
		startedAt: NUMBER,
		base: orNull(schemaOf<WindowSide>(ref(WINDOW_SIDE))),
		head: orNull(schemaOf<WindowSide>(ref(WINDOW_SIDE))),
		/** Share of the window the generator's event loop was busy, 0..1. */
		generatorUtilisation: NUMBER,
		generatorCpuSeconds: NUMBER,
		/** CPU time of processes that are neither ours nor the servers', as a share of one CPU; null when unknown. */
		otherCpu: NUMBER_OR_NULL,
		/** Seconds the servers' CPU had nothing to do; null when they are not pinned, or it is unknown. */
		serverCpuIdle: NUMBER_OR_NULL,
	}),
);

/** Share of answers that may be wrong, or fail, before a cell's numbers mean nothing. */
export const MOST_UNEXPECTED: Fraction = 0.001;

/** Faults of a server that did not come up. Each was tried twice, with fresh processes. */
export const START_FAULTS: readonly string[] = ['start-failed', 'exited-at-start', 'never-listened', 'port-taken'];
/** Faults of nobody: each side answers as expected, and yet not like the other. */
export const DIFFERENCES: readonly string[] = ['bodies-differ'];

/** Faults that somebody else did to a side. With them and without a culprit, nobody knows whether that side is broken. */
export const REACHED_FAULTS: readonly string[] = ['stopped', 'foreign-connections', 'foreign-listener'];

/** Why a cell's numbers of a round cannot be used, or what the first wrong answer was. */
export type Fault = Infer<typeof FAULT>;
export const FAULT = define(
	'fault',
	objectOf({
		/** e.g. `wrong-status`, `wrong-body`, `bodies-differ`, `crashed`, `never-listened`, `status-limit`, `unexpected-answers`. */
		code: TEXT,
		side: SIDE_OR_NULL,
		/** One sentence for the report; contains text of the code under test, escape it. */
		message: TEXT,
	}),
);

/** What one worker process of a server used under load. */
export type WorkerFigures = Infer<typeof WORKER_FIGURES>;
export const WORKER_FIGURES = objectOf({
	/** CPU time over wall time. */
	cpus: NUMBER,
	/** Resident, bytes; null when unknown. */
	memory: NUMBER_OR_NULL,
});

/**
 * Work of a side after the load of a turn, connected and without requests, until it used no CPU for half a second, or for two seconds at
 * most.
 */
export type Afterwork = Infer<typeof AFTERWORK>;
const AFTERWORK = objectOf({
	cpuSeconds: SECONDS,
	/** Answers of the turn until then, warm-up included. */
	answers: AMOUNT,
	/** CPU use at the end, as a share of one CPU; 0 if the side came to rest. */
	unfinished: AMOUNT,
});

const PURPOSE = enumOf(['main', 'confirm']);

const CELL_ROUND = define(
	'cellRound',
	objectOf({
		cell: TEXT,
		round: COUNT,
		purpose: PURPOSE,
		design: DESIGN,
		windows: listOf(ref(WINDOW)),
		/** Highest resident memory of each side's process tree during the cell's turn, bytes; null when unknown. */
		memoryPeak: sidesOf(NUMBER_OR_NULL),
		/** Resident memory of each side's process tree at the end of its load, bytes; absent in older files, null when unknown. */
		memoryAfterLoad: optional(sidesOf(NUMBER_OR_NULL)),
		/** Resident memory, bytes, when both sides had answered 100,000 requests of the turn; absent unless asked for, null when they had not. */
		memoryAfter: optional(sidesOf(NUMBER_OR_NULL)),
		/** Null for a side whose CPU time is unreadable; absent in turns without the wait, and in older files. */
		afterwork: optional(
			described(sidesOf(orNull(AFTERWORK)), 'what the sides did after the load, asked nothing, until they used no CPU'),
		),
		/** Control groups also count ended processes. */
		grouped: optional(described(literal(true), 'CPU times are those of control groups')),
		/** Absent in older files, too. */
		held: optional(described(literal(true), 'nothing of either side may leave the CPU of the servers')),
		/** Of the processes it was the first to load; absent in later turns. */
		start: optional(sidesOf(schemaOf<SideStart>(SIDE_START))),
		faults: listOf(ref(FAULT)),
		/** Remarks on the row that invalidate no number; absent without any, and in older files. */
		remarks: optional(listOf(ref(FAULT))),
		/** Sides pinned to one CPU and the generator to another. */
		pinned: FLAG,
	}),
);

/** One cell's raw numbers of one round. */
export interface CellRound extends Infer<typeof CELL_ROUND> {
	/** Of the whole turn, in a ranking that asks for it; null where a server reports nothing. Never in raw files. */
	readonly vitals?: Sides<Vitals | null>;
	/** Of head, where its server runs in worker processes. Never in raw data: no comparison has them. */
	readonly workers?: readonly WorkerFigures[];
}

/** One fresh base process and one fresh head process per server, loaded once. The unit of replication. */
export type Round = Infer<typeof ROUND>;
export const ROUND = objectOf({
	round: COUNT,
	purpose: PURPOSE,
	/** Seconds since the run began. */
	startedAt: NUMBER,
	seconds: SECONDS,
	/** Seconds of it under counted load. */
	loadSeconds: SECONDS,
	cells: listOf(schemaOf<CellRound>(ref(CELL_ROUND))),
	shard: optional(described(ORDINAL, 'the machine that measured it, in a gathered file')),
	lane: optional(described(ORDINAL, 'the lane it ran in, where a machine had several')),
});

/** Definitions of a file with rounds, in the order of its schema. */
export const ROUND_DEFINITIONS = [FAULT, CELL_ROUND, WINDOW, WINDOW_SIDE];

/** Why measuring ended. */
export type EndReason = Infer<typeof ENDED>;
export const ENDED = define('ended', enumOf(['decided', 'rounds', 'budget', 'interrupted']));

/** What one lane of a machine did. */
export type LaneRun = Infer<typeof LANE_RUN>;
export const LANE_RUN = define(
	'laneRun',
	described(
		objectOf({
			lane: ORDINAL,
			/** Also those that were refused before any load. */
			cells: described(listOf(TEXT), 'ids of the cells it measured'),
			ended: ref(ENDED),
		}),
		'what one lane of a machine did',
	),
);

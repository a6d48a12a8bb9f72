import type { Design } from './config.ts';
import { define, described, enumOf, type Infer, listOf, ORDINAL, objectOf, ref, TEXT } from './schema.ts';
import type { Bytes, Fraction, Microseconds, Seconds, Side, Sides } from './units.ts';

/** Sparse histogram: [value in µs, count], ascending, values to two significant digits. */
export type LatencyHistogram = readonly (readonly [Microseconds, number])[];

/** What one side did in one window, counted between our own timestamps. */
export interface WindowSide {
	/** Of a window in turn also what its answers still cost after it (decision 0065), here and in `cpuSeconds`. */
	readonly seconds: Seconds;
	/** Answers received, whatever their status. */
	readonly completed: number;
	/**
	 * Right answers by the time they took: an answer half of which lies in the window counts half. Waiting for the last answers ends with
	 * the turn. Absent where only whole answers are counted (at a fixed rate, in windows in turn), and in older files.
	 */
	readonly answers?: number;
	readonly bytes: Bytes;
	readonly statuses: Readonly<Record<string, number>>;
	/** Answers whose status or sampled body was not expected. */
	readonly unexpected: number;
	/** Connection errors, resets and timeouts. */
	readonly errors: number;
	/** Those of the errors that were requests without an answer for ten seconds; absent where nobody tells, and in older files. */
	readonly timeouts?: number;
	/** Requests lost with a reused connection and sent again; absent without any, and in older files. */
	readonly resent?: number;
	/** Number of 10 ms intervals with such losses; present beside `resent`. */
	readonly resentMoments?: number;
	/** CPU time of the whole process tree; null where the platform cannot tell. */
	readonly cpuSeconds: Seconds | null;
	/** At a fixed rate from when each request was due, else from when it was written. */
	readonly latency: LatencyHistogram;
	/** Of every whole second of a long solo window: answers and bytes per second. */
	readonly perSecond?: readonly { readonly requests: number; readonly bytes: Bytes }[];
	/** Of a solo window with stages, where the driver tells: its steady ones, in order. Never in raw data: no comparison has stages. */
	readonly steps?: readonly StepCounts[];
	/** About what the other side, which rests, used of the CPU meanwhile; only of windows in turn, null when unknown. */
	readonly restingCpuSeconds?: Seconds | null;
	/** At a fixed rate: requests that fell due. */
	readonly due?: number;
	/** At a fixed rate: requests that were sent later than they were due (docs/statistics.md 14). */
	readonly late?: number;
}

/** What a side did in a stage of a solo window in which as many connections were open all the time. */
export interface StepCounts {
	readonly connections: number;
	readonly seconds: Seconds;
	readonly completed: number;
	readonly latency: LatencyHistogram;
}

/** What a fresh process of a side was like before any load. */
export interface SideStart {
	/** From its spawn to its first answer; null where the sides started at once, or nobody can tell. */
	readonly seconds: Seconds | null;
	/** Resident memory of its process tree at rest; null when unknown. */
	readonly memory: Bytes | null;
	/** From the signal that ends it to the first answer of the process that follows; absent unless asked for, null when unknown. */
	readonly reload?: Seconds | null;
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

export interface Window {
	/** `solo` windows load one side alone for absolute figures and never enter a decision. */
	readonly kind: Design | 'solo';
	/** Seconds since the run began. */
	readonly startedAt: Seconds;
	readonly base: WindowSide | null;
	readonly head: WindowSide | null;
	/** Share of the window the generator's event loop was busy, 0..1. */
	readonly generatorUtilisation: Fraction;
	readonly generatorCpuSeconds: Seconds;
	/** CPU time of processes that are neither ours nor the servers', as a share of one CPU; null when unknown. */
	readonly otherCpu: Fraction | null;
	/** Seconds the servers' CPU had nothing to do; null when they are not pinned or nobody can tell. */
	readonly serverCpuIdle: Seconds | null;
}

/** Share of answers that may be wrong, or fail, before a cell's numbers mean nothing. */
export const MOST_UNEXPECTED: Fraction = 0.001;

/** Faults of a server that did not come up. Each was tried twice, with fresh processes. */
export const START_FAULTS: readonly string[] = ['start-failed', 'exited-at-start', 'never-listened', 'port-taken'];
/** Faults of nobody: each side answers as expected, and yet not like the other. */
export const DIFFERENCES: readonly string[] = ['bodies-differ'];

/** Faults that somebody else did to a side. With them and without a culprit, nobody knows whether that side is broken. */
export const REACHED_FAULTS: readonly string[] = ['stopped', 'foreign-connections', 'foreign-listener'];

/** Why a cell's numbers of a round cannot be used, or what the first wrong answer was. */
export interface Fault {
	/** e.g. `wrong-status`, `wrong-body`, `bodies-differ`, `crashed`, `never-listened`, `status-limit`, `unexpected-answers`. */
	readonly code: string;
	readonly side: Side | null;
	/** One sentence for the report; contains text of the code under test, escape it. */
	readonly message: string;
}

/** What one worker process of a server used under load. */
export interface WorkerFigures {
	/** CPU time over wall time. */
	readonly cpus: number;
	/** Resident; null when unknown. */
	readonly memory: Bytes | null;
}

/**
 * Work of a side after the load of a turn, connected and without requests, until it used no CPU for half a second, or for two seconds at
 * most.
 */
export interface Afterwork {
	readonly cpuSeconds: Seconds;
	/** Answers of the turn until then, warm-up included. */
	readonly answers: number;
	/** CPU use at the end, as a share of one CPU; 0 if the side came to rest. */
	readonly unfinished: Fraction;
}

/** One cell's raw numbers of one round. */
export interface CellRound {
	readonly cell: string;
	readonly round: number;
	readonly purpose: 'main' | 'confirm';
	readonly design: Design;
	readonly windows: readonly Window[];
	/** Highest resident memory of each side's process tree during the cell's turn, bytes; null when unknown. */
	readonly memoryPeak: { readonly base: Bytes | null; readonly head: Bytes | null };
	/** Resident memory of each side's process tree at the end of its load; absent in older files, null when unknown. */
	readonly memoryAfterLoad?: Sides<Bytes | null>;
	/** Resident memory when both sides had answered 100,000 requests of the turn; absent unless asked for, null when they had not. */
	readonly memoryAfter?: Sides<Bytes | null>;
	/** Null for a side whose CPU time is unreadable; absent in turns without the wait, and in older files. */
	readonly afterwork?: Sides<Afterwork | null>;
	/** CPU times come from control groups, which also count ended processes; absent otherwise. */
	readonly grouped?: true;
	/** Both sides are held on the servers' CPU; absent otherwise, and in older files. */
	readonly held?: true;
	/** Of the whole turn, in a ranking that asks for it; null where a server reports nothing. Never in raw files. */
	readonly vitals?: Sides<Vitals | null>;
	/** Of the processes it was the first to load; absent in later turns. */
	readonly start?: Sides<SideStart>;
	/** Of head, where its server runs in worker processes. Never in raw data: no comparison has them. */
	readonly workers?: readonly WorkerFigures[];
	readonly faults: readonly Fault[];
	/** Remarks on the row that invalidate no number; absent without any, and in older files. */
	readonly remarks?: readonly Fault[];
	/** Sides pinned to one CPU and the generator to another. */
	readonly pinned: boolean;
}

/** One fresh base process and one fresh head process per server, loaded once. The unit of replication. */
export interface Round {
	readonly round: number;
	readonly purpose: 'main' | 'confirm';
	readonly startedAt: Seconds;
	readonly seconds: Seconds;
	/** Seconds of it under counted load. */
	readonly loadSeconds: Seconds;
	readonly cells: readonly CellRound[];
	/** The shard that measured it; absent where there was only one machine. */
	readonly shard?: number;
	/** The lane it ran in, from 1; absent where the machine had only one. */
	readonly lane?: number;
}

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

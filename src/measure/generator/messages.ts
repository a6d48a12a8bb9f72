/** What the orchestrator and the generator process say to each other over IPC. */
import type { Design, HttpRequest, Load } from '../../types/config.ts';
import type { Timing, Traffic, Turn, Warmup } from '../../types/plan.ts';
import type { Window } from '../../types/round.ts';
import type { Bytes, Fraction, Seconds, Side, Sides } from '../../types/units.ts';

/** One side as the generator sees it. */
export interface Target {
	/** `http://127.0.0.1:PORT`. */
	readonly origin: string;
	/** Leader of the server's process group. */
	readonly pid: number;
	/** Folder of the control group of the side's processes; absent without one. */
	readonly group?: string;
	readonly request: HttpRequest;
	/** All requests of a mix, placeholders not filled yet. */
	readonly mix?: readonly HttpRequest[];
	/** Of each request the headers that its answers had before load, at most `MOST_NAMES`; none are looked for when absent. */
	readonly headers?: readonly (readonly string[])[];
	/** Of each request the values of those of them that must not change, by name. */
	readonly values?: readonly Readonly<Record<string, string>>[];
}

/** Of answers with this status, the headers they must have: the exact value, or null for any. */
export type HeadersOfStatus = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** One cell's turn, run by the generator on its own: nothing is said until it is over. */
export interface TurnOrder {
	readonly kind: 'turn';
	readonly id: number;
	readonly turn: Turn;
	readonly design: Design;
	readonly targets: Sides<Target>;
	readonly load: Load;
	readonly timing: Timing;
	readonly warmup: Warmup;
	/** CPU both servers are held on; null when they are not. */
	readonly serverCpu: number | null;
	/** Present if both sides must stay on that CPU. */
	readonly held?: true;
	/** CPUs of its lane, where others measure beside it: what runs on other CPUs is not counted; all CPUs when absent. */
	readonly laneCpus?: readonly number[];
	/** Whether the generator has a CPU of its own, on which it may stay awake. */
	readonly awake: boolean;
	/** Statuses that are right answers. */
	readonly statuses: readonly number[];
	/** The order of a mix, and the right statuses of each of its requests. */
	readonly traffic?: Traffic & { readonly statuses: readonly (readonly number[])[] };
	/** Of each request whether bodies may come compressed: they are sampled as they come; none when absent. */
	readonly compressed?: readonly boolean[];
	/** Of each request what its answers with another right status than the usual one must have; absent where nothing is asked of them. */
	readonly headersOf?: readonly HeadersOfStatus[];
	/** Requests send back a learnt value that may expire: renew it before windows. */
	readonly learns?: true;
	/** Requests of the turn after which memory is read; absent for never. */
	readonly footprint?: number;
	/** Present if the turn waits after the counted windows until both sides rest. */
	readonly rest?: true;
	/** `Date.now()` when the run began, so that windows know their place in it. */
	readonly runStartedAt: number;
}

/** A sampled answer, and how many of the sampled ones were like it or are represented by it. */
export interface SampledAnswer {
	readonly status: number;
	/** Its bytes as Latin-1 where it may have come compressed. */
	readonly body: string;
	readonly count: number;
	/** Row of `Traffic.data` that its request was filled from; absent when from none. */
	readonly row?: number;
}

/** What the headers of answers with one status had, warm-up included; bits are those of what was looked for in them. */
export interface SeenHeaders {
	readonly answers: number;
	/** Answers without one of the headers that they had before load. */
	readonly bare: number;
	/** Which headers any of them was without: bit n stands for the n-th of `Target.headers`. */
	readonly missing: number;
	/** How many answers had another value of the n-th of `Target.headers` than `Target.values` has. */
	readonly changed?: readonly number[];
}

/** What came back for one request of a mix. */
export interface RequestReport {
	/** Answers in counted windows. */
	readonly completed: number;
	/** Those of them with a status that is not right. */
	readonly unexpected: number;
	/** How often each status came, in each counted window; nothing of a request with one right status. */
	readonly statuses: readonly Readonly<Record<string, number>>[];
	readonly samples: readonly SampledAnswer[];
	/** As `TurnReport.lengths`. */
	readonly lengths: Readonly<Record<string, number>>;
	/** Absent where another program than ours read the answers. */
	readonly headers?: SeenHeaders;
	/** By status, of other right answers than the usual ones; their bits are those of `TurnOrder.headersOf`. */
	readonly headersOf?: Readonly<Record<string, SeenHeaders>>;
	/** Usual answers to the rows that both sides were watched for. */
	readonly watched: readonly WatchedRow[];
}

/** What a row was answered with. */
export interface WatchedRow {
	/** Index in `Traffic.data`. */
	readonly row: number;
	/** Null where it was not the same each time. */
	readonly body: string | null;
	/** Different ones as they came, in Latin-1, where they may have come compressed: `body` is not known before they are read. */
	readonly encoded?: readonly string[];
}

/** Work of a side between its last answer and its rest. */
export interface Rest {
	readonly cpuSeconds: Seconds;
	/** CPU use when the wait ended, as a share of one CPU; 0 if the side came to rest. */
	readonly unfinished: Fraction;
}

export interface TurnReport {
	readonly kind: 'report';
	readonly id: number;
	readonly windows: readonly Window[];
	readonly memoryPeak: { readonly base: Bytes | null; readonly head: Bytes | null };
	/** As `CellRound` has it; null of a side that was not loaded in counted windows. */
	readonly memoryAfterLoad: Sides<Bytes | null>;
	/** As `CellRound` has it. */
	readonly memoryAfter?: Sides<Bytes | null>;
	readonly samples: Sides<readonly SampledAnswer[]>;
	/**
	 * How often each length of body came with the usual status, warm-up included; those beyond 16 as `other`. In characters, or in bytes
	 * where bodies may have come compressed.
	 */
	readonly lengths: Sides<Readonly<Record<string, number>>>;
	/** Absent where another program than ours read the answers. */
	readonly headers?: Sides<SeenHeaders | undefined>;
	/** As `RequestReport` has it. */
	readonly headersOf?: Sides<RequestReport['headersOf']>;
	/** Of a mix what came back for each of its requests; `samples` and `lengths` are then empty, and `headers` absent. */
	readonly mix?: Sides<readonly RequestReport[]>;
	/** First connection error of each side, if any. */
	readonly firstError: { readonly [S in Side]?: string };
	/** Most answers of each status within any stretch the scenario limits, warm-up included. */
	readonly statusTimes: Sides<Readonly<Record<string, readonly Seconds[]>>>;
	/** Answers of each side from the start of the turn until its rest, warm-up included; absent without the wait. */
	readonly rested?: Sides<Rest | null> & { readonly answers: Sides<number> };
	/** Sides with a thread found outside their CPU; absent without any. */
	readonly leftCpu?: readonly Side[];
	/** Processes that were there when the turn began and were gone when it ended. */
	readonly vanished: Sides<number>;
}

export interface TurnFailure {
	readonly kind: 'failure';
	readonly id: number;
	readonly message: string;
	/** Sides that answered nothing but errors. */
	readonly sides: readonly Side[];
}

/** Ports that the generator has connected to each side from since it last said so. */
export interface Opened {
	readonly kind: 'opened';
	readonly id: number;
	readonly ports: Sides<readonly number[]>;
}

/** The complete new requests of each side; null to keep the current ones. */
export type Learnt = Sides<readonly HttpRequest[]> | null;

export type ToGenerator =
	| TurnOrder
	| { readonly kind: 'abort' }
	| { readonly kind: 'learnt'; readonly requests: Learnt };
/** Answered with `learnt`. */
export type FromGenerator =
	| TurnReport
	| TurnFailure
	| Opened
	| { readonly kind: 'ready' }
	| { readonly kind: 'learn'; readonly id: number };

/** Messages (IPC) between orchestrator and generator process. */
import type { Design, HttpRequest, Load } from '../../types/config.ts';
import type { Timing, Traffic, Turn, Warmup } from '../../types/plan.ts';
import type { Window } from '../../types/round.ts';
import type { Bytes, Fraction, Seconds, Side, Sides } from '../../types/units.ts';

export interface Target {
	/** `http://127.0.0.1:PORT`. */
	readonly origin: string;
	/** Leader of the server's process group. */
	readonly pid: number;
	/** Control group folder. */
	readonly group?: string;
	readonly request: HttpRequest;
	/** Its placeholders are unfilled. */
	readonly mix?: readonly HttpRequest[];
	/** By request, headers that answers had before load; at most `MOST_NAMES`. */
	readonly headers?: readonly (readonly string[])[];
	/** By request, headers that must not change. */
	readonly values?: readonly Readonly<Record<string, string>>[];
}

/** By status, required headers: exact value, or null for any. */
export type HeadersOfStatus = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

export interface TurnOrder {
	readonly kind: 'turn';
	readonly id: number;
	readonly turn: Turn;
	readonly design: Design;
	readonly targets: Sides<Target>;
	readonly load: Load;
	readonly timing: Timing;
	readonly warmup: Warmup;
	/** Null if the servers are not pinned. */
	readonly serverCpu: number | null;
	/** Both sides must stay on that CPU. */
	readonly held?: true;
	/** The only CPUs counted; all if absent. */
	readonly laneCpus?: readonly number[];
	/** May stay awake on a CPU of its own. */
	readonly awake: boolean;
	readonly statuses: readonly number[];
	/** Order and right statuses of a mix. */
	readonly traffic?: Traffic & { readonly statuses: readonly (readonly number[])[] };
	/** By request, whether bodies may be compressed. */
	readonly compressed?: readonly boolean[];
	/** By request, for right statuses other than the usual one. */
	readonly headersOf?: readonly HeadersOfStatus[];
	/** Learnt values may expire, so they are renewed before windows. */
	readonly learns?: true;
	/** Memory is read after this many requests. */
	readonly footprint?: number;
	/** Wait after the windows until both sides rest. */
	readonly rest?: true;
	/** `Date.now()` at the start of the run. */
	readonly runStartedAt: number;
}

/** Represents `count` samples. */
export interface SampledAnswer {
	readonly status: number;
	/** Raw bytes as Latin-1 if it may be compressed. */
	readonly body: string;
	readonly count: number;
	/** Row of `Traffic.data`. */
	readonly row?: number;
}

/** Headers of answers with one status, warm-up included. */
export interface SeenHeaders {
	readonly answers: number;
	/** Answers that lack any header. */
	readonly bare: number;
	/** Bit n: some answer lacks the n-th of `Target.headers`. */
	readonly missing: number;
	/** Answers whose n-th header differs from `Target.values`. */
	readonly changed?: readonly number[];
}

export interface RequestReport {
	/** In counted windows. */
	readonly completed: number;
	readonly unexpected: number;
	/** Counts per window, kept if several statuses are right. */
	readonly statuses: readonly Readonly<Record<string, number>>[];
	readonly samples: readonly SampledAnswer[];
	readonly lengths: Readonly<Record<string, number>>;
	/** Absent if an external driver read the answers. */
	readonly headers?: SeenHeaders;
	/** By right status other than the usual; bits as in `TurnOrder.headersOf`. */
	readonly headersOf?: Readonly<Record<string, SeenHeaders>>;
	readonly watched: readonly WatchedRow[];
}

export interface WatchedRow {
	/** Index in `Traffic.data`. */
	readonly row: number;
	/** Null if it varied or may be compressed. */
	readonly body: string | null;
	/** Distinct raw bodies as Latin-1. */
	readonly encoded?: readonly string[];
}

/** Work between a side's last answer and its rest. */
export interface Rest {
	readonly cpuSeconds: Seconds;
	/** Share of one CPU in use at the end of the wait; 0 at rest. */
	readonly unfinished: Fraction;
}

export interface TurnReport {
	readonly kind: 'report';
	readonly id: number;
	readonly windows: readonly Window[];
	readonly memoryPeak: { readonly base: Bytes | null; readonly head: Bytes | null };
	/** Null without counted windows. */
	readonly memoryAfterLoad: Sides<Bytes | null>;
	readonly memoryAfter?: Sides<Bytes | null>;
	readonly samples: Sides<readonly SampledAnswer[]>;
	/**
	 * Counts by length of usual bodies, warm-up included; beyond 16 lengths as `other`. In characters, or in bytes if
	 * bodies may be compressed.
	 */
	readonly lengths: Sides<Readonly<Record<string, number>>>;
	readonly headers?: Sides<SeenHeaders | undefined>;
	readonly headersOf?: Sides<RequestReport['headersOf']>;
	/** Per request of a mix, instead of `samples`, `lengths` and `headers`. */
	readonly mix?: Sides<readonly RequestReport[]>;
	readonly firstError: { readonly [S in Side]?: string };
	/** Arrival times of limited statuses, warm-up included. */
	readonly statusTimes: Sides<Readonly<Record<string, readonly Seconds[]>>>;
	/** `answers` of the whole turn, warm-up included. */
	readonly rested?: Sides<Rest | null> & { readonly answers: Sides<number> };
	/** Sides with a thread outside their CPU. */
	readonly leftCpu?: readonly Side[];
	/** Processes that ended during the turn. */
	readonly vanished: Sides<number>;
}

export interface TurnFailure {
	readonly kind: 'failure';
	readonly id: number;
	readonly message: string;
	/** Sides that answered only errors. */
	readonly sides: readonly Side[];
}

/** Local ports opened since the last such message. */
export interface Opened {
	readonly kind: 'opened';
	readonly id: number;
	readonly ports: Sides<readonly number[]>;
}

/** Null keeps the current requests. */
export type Learnt = Sides<readonly HttpRequest[]> | null;

export type ToGenerator =
	| TurnOrder
	| { readonly kind: 'abort' }
	| { readonly kind: 'learnt'; readonly requests: Learnt };
/** `learn` is answered with `learnt`. */
export type FromGenerator =
	| TurnReport
	| TurnFailure
	| Opened
	| { readonly kind: 'ready' }
	| { readonly kind: 'learn'; readonly id: number };

/** Counts one side's answers in windows. */
import { build, type Histogram } from 'hdr-histogram-js';
import type { LatencyHistogram, WindowSide } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';
import {
	countHead,
	countLength,
	countStatus,
	createTally,
	reportTally,
	type Tally,
	watch,
	watchEncoded,
} from './answer-tally.ts';
import { AnswerShares } from './long-answers.ts';
import type { RequestReport } from './messages.ts';
import type { Unlike } from './reading/answer-head.ts';
import { type Body, MAX_BODY } from './reading/body-keeper.ts';
import type { Place } from './ring.ts';

/** One body in this many is kept, drawn at random: no server can predict which. */
const SAMPLE_EVERY = 32;
/** Most sample characters kept per side. */
const MAX_KEPT = 16_000_000;
/** Arrival times kept per status, enough to detect a limiter that does not limit. */
const MAX_TIMES = 2_000;
/** Losses within this time (ms) may share a cause: a stopping server closes all connections at once. */
const MOMENT_MS = 10;
const MAX_LATENCY_US = 120_000_000;
/** Shortest gap without answers that counts as a stop (ms). Others take the server's CPU for less. */
const LEAST_STOP = 6;

export interface Counter {
	/**
	 * `bytes` are counted on the wire, `unlike` marks changed headers, and latency began at `since`
	 * (`performance.now()`).
	 */
	onAnswer(
		status: number,
		bytes: number,
		milliseconds: number,
		place: Place,
		body: Body,
		unlike: Unlike,
		since: number,
	): void;
	onError(error: Error, isTimeout?: boolean): void;
	onResent(): void;
	/** Resolves at the next answer or error, or after `mostMs`. */
	next(mostMs: number): Promise<void>;
	/**
	 * Begins a window at `from` and resets all counts. Latencies are those of answers received in it or, with
	 * `sentSince`, of requests sent since then, even if answered later (`settledLatency`).
	 */
	start(sentSince?: number, from?: number): void;
	soFar(): { readonly completed: number; readonly bytes: number };
	latencySoFar(): LatencyHistogram;
	finish(seconds: Seconds, cpuSeconds: Seconds | null): WindowSide;
	settledLatency(): LatencyHistogram;
	/** Right answers by window, complete once those under way at its end arrive. */
	readonly shares: AnswerShares;
	/** In milliseconds, for all windows with `sentSince`. */
	readonly stops: readonly number[];
	/** Since creation; `waited` is the sum of all latencies (ms). */
	readonly total: { readonly answers: number; readonly errors: number; readonly waited: number };
	/** `lengths` covers the whole turn; 0 means no body. */
	readonly requests: readonly RequestReport[];
	readonly firstError: string | undefined;
	/** Arrival times by status over the whole turn, kept if several statuses are right. */
	readonly times: Readonly<Record<string, readonly Seconds[]>>;
}

/**
 * `statuses[n]` are the right statuses of request n; if one has several, arrival times are kept. Bodies of `compressed`
 * requests are kept raw. Every usual answer to a `watched` row is read.
 */
export function createCounter(
	statuses: readonly (readonly number[])[],
	compressed: readonly boolean[] = [],
	watched: ReadonlySet<number> = new Set(),
): Counter {
	const histogram = build({
		lowestDiscernibleValue: 1,
		highestTrackableValue: MAX_LATENCY_US,
		numberOfSignificantValueDigits: 2,
	});
	const tallies = statuses.map(createTally);
	const times: Record<string, Seconds[]> = {};
	const total = { answers: 0, errors: 0, waited: 0 };
	const shares = new AnswerShares();
	let startedAt = 0;
	const keepTimes = statuses.some((each) => each.length > 1);
	let counting = false;
	/** If set, only requests sent since then have a latency. */
	let sentFrom: number | null = null;
	const stops: number[] = [];
	let answeredAt = 0;
	let completed = 0;
	let bytes = 0;
	let unexpected = 0;
	let errors = 0;
	let timeouts = 0;
	let resent = 0;
	let resentMoments = 0;
	let lastMoment = Number.NEGATIVE_INFINITY;
	let byStatus: Record<string, number> = {};
	let kept = 0;
	let firstError: string | undefined;
	let onNext: (() => void) | null = null;

	function look(tally: Tally, status: number, { request, row }: Place, body: Body, isUnexpected: boolean): void {
		const asBytes = compressed[request] === true;
		if (status === tally.statuses[0]) countLength(tally.lengths, asBytes ? body.bytes : body.length);
		// A truncated body cannot be decompressed.
		const isCut = asBytes && body.bytes > MAX_BODY;
		if (status === tally.statuses[0] && row !== undefined && watched.has(row)) {
			if (!asBytes) kept += watch(tally.watched, row, body.text);
			else if (!isCut && kept < MAX_KEPT) kept += watchEncoded(tally.encoded, row, body.latin1);
		}
		if (!isUnexpected && Math.random() * SAMPLE_EVERY >= 1) return;
		if (kept >= MAX_KEPT || isCut) return;
		const sample = { status, body: asBytes ? body.latin1 : body.text, count: 1, ...(row !== undefined && { row }) };
		kept += tally.samples.add(sample, isUnexpected);
	}

	return {
		onAnswer(status, size, milliseconds, place, body, unlike, since) {
			total.answers++;
			total.waited += milliseconds;
			const tally = tallies[place.request] as Tally;
			if (keepTimes) keepTime(times, status);
			const isUnexpected = !tally.statuses.includes(status);
			if (!isUnexpected) shares.add(since, since + milliseconds);
			if (counting) {
				completed++;
				tally.completed++;
				if (tally.statuses.length > 1) countStatus(tally, status);
				bytes += size;
				byStatus[status] = (byStatus[status] ?? 0) + 1;
				if (isUnexpected) {
					unexpected++;
					tally.unexpected++;
				}
			}
			if (sentFrom !== null && counting) {
				const now = since + milliseconds;
				if (now - answeredAt >= LEAST_STOP) stops.push(now - answeredAt);
				answeredAt = now;
			}
			if (sentFrom === null ? counting : since >= sentFrom)
				histogram.recordValue(Math.min(MAX_LATENCY_US, Math.max(1, Math.round(milliseconds * 1000))));
			countHead(tally, status, unlike);
			look(tally, status, place, body, isUnexpected);
			onNext?.();
		},
		onError(error, isTimeout = false) {
			total.errors++;
			firstError ??= error.message;
			if (counting) {
				errors++;
				if (isTimeout) timeouts++;
			}
			onNext?.();
		},
		onResent() {
			if (!counting) return;
			resent++;
			const moment = Math.floor(performance.now() / MOMENT_MS);
			if (moment !== lastMoment) resentMoments++;
			lastMoment = moment;
		},
		next(mostMs) {
			return new Promise((resolve) => {
				const done = () => {
					clearTimeout(timer);
					onNext = null;
					resolve();
				};
				const timer = setTimeout(done, mostMs);
				onNext = done;
			});
		},
		start(sentSince, from = sentSince ?? performance.now()) {
			histogram.reset();
			startedAt = from;
			shares.begin(from);
			sentFrom = sentSince ?? null;
			answeredAt = sentSince ?? 0;
			completed = bytes = unexpected = errors = timeouts = resent = resentMoments = 0;
			lastMoment = Number.NEGATIVE_INFINITY;
			byStatus = {};
			for (const tally of tallies) tally.windows.push({});
			counting = true;
		},
		soFar: () => ({ completed, bytes }),
		finish(seconds, cpuSeconds) {
			counting = false;
			shares.end(startedAt + seconds * 1000);
			return {
				seconds,
				completed,
				bytes,
				statuses: byStatus,
				unexpected,
				errors,
				timeouts,
				...(resent > 0 && { resent, resentMoments }),
				cpuSeconds,
				latency: toSparse(histogram),
			};
		},
		latencySoFar: () => toSparse(histogram),
		settledLatency: () => toSparse(histogram),
		shares,
		stops,
		total,
		get requests() {
			return tallies.map(reportTally);
		},
		get firstError() {
			return firstError;
		},
		times,
	};
}

function keepTime(times: Record<string, Seconds[]>, status: number): void {
	let list = times[status];
	if (!list) {
		list = [];
		times[status] = list;
	}
	if (list.length < MAX_TIMES) list.push(performance.now() / 1000);
}

function toSparse(histogram: Histogram): LatencyHistogram {
	const sparse: [number, number][] = [];
	// Missing in the published types.
	const values = (histogram as unknown as { recordedValuesIterator: RecordedValues }).recordedValuesIterator;
	values.reset();
	while (values.hasNext()) {
		const value = values.next();
		if (value.countAtValueIteratedTo > 0) sparse.push([value.valueIteratedTo, value.countAtValueIteratedTo]);
	}
	return sparse;
}

interface RecordedValues {
	reset(): void;
	hasNext(): boolean;
	next(): { readonly valueIteratedTo: number; readonly countAtValueIteratedTo: number };
}

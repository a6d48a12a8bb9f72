/** Counts one side's answers. Windows are cut out of it by `start` and `finish`; between them nothing is counted. */
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

/** One answer in this many, drawn at random so that a server cannot know which, has its body kept. */
const SAMPLE_EVERY = 32;
/** Most characters of samples kept per side. */
const MAX_KEPT = 16_000_000;
/** Most arrival times kept per status: enough to see a limiter that does not limit. */
const MAX_TIMES = 2_000;
/** Losses within this time (ms) may have one cause: a server that stops closes all its connections at once. */
const MOMENT_MS = 10;
const MAX_LATENCY_US = 120_000_000;
/** A stop is a time without any answer that is at least as long, in milliseconds. A server shares its CPU with others, who get it for shorter times. */
const LEAST_STOP = 6;

export interface Counter {
	/**
	 * One answer: its status, its bytes on the wire, the milliseconds it took, what was asked, its body, which headers changed, and since
	 * when it took so long.
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
	/** Counts a request that was lost with its connection and sent again. */
	onResent(): void;
	/** Resolves when the next answer or error has arrived, or after `mostMs`. */
	next(mostMs: number): Promise<void>;
	/**
	 * Begins a window at `from` and resets all counts. Latencies are those of answers received in it; with `sentSince` those of requests
	 * sent from then on, including answers after `finish` (`settledLatency`).
	 */
	start(sentSince?: number, from?: number): void;
	/** Returns what arrived since `start`. */
	soFar(): { readonly completed: number; readonly bytes: number };
	/** Returns the latencies since `start`. */
	latencySoFar(): LatencyHistogram;
	/** Ends the window begun by `start` and returns what arrived in it. */
	finish(seconds: Seconds, cpuSeconds: Seconds | null): WindowSide;
	/** Returns the latencies of a window with `sentSince`, once the client has been at rest since its end and owes no answer. */
	settledLatency(): LatencyHistogram;
	/** Right answers of each window by the time they took, complete once the requests under way at its end are answered. */
	readonly shares: AnswerShares;
	/** For how many milliseconds nothing was answered, wherever that was long, in all windows with `sentSince` so far. */
	readonly stops: readonly number[];
	/** Answers and errors since the counter was created, and the sum of all latencies (ms). */
	readonly total: { readonly answers: number; readonly errors: number; readonly waited: number };
	/**
	 * What came back for each request. Lengths: how often each length of body came with the usual status, over the whole turn; 0
	 * for an answer without one.
	 */
	readonly requests: readonly RequestReport[];
	readonly firstError: string | undefined;
	/** Arrival times of each limited status in seconds, over the whole turn. */
	readonly times: Readonly<Record<string, readonly Seconds[]>>;
}

/**
 * Makes a counter for a side. Right answers to its n-th request have one of the n-th `statuses`; arrival times are kept when a
 * request has several. Bodies that may be `compressed` are kept as they come. Of requests that are filled from `watched` rows every other
 * body is looked at.
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
	/** Requests sent earlier have no latency here; null where answers are what counts. */
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

	/** Takes from a body what is wanted of it: only then is it read. */
	function look(tally: Tally, status: number, { request, row }: Place, body: Body, isUnexpected: boolean): void {
		const asBytes = compressed[request] === true;
		if (status === tally.statuses[0]) countLength(tally.lengths, asBytes ? body.bytes : body.length);
		// What is cut off cannot be decompressed.
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
	// Not in the published interface of the class, but the only way to walk the recorded values.
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

/** Counts one side's answers. Windows are cut out of it by `start` and `finish`; between them nothing is counted. */
import { build, type Histogram } from 'hdr-histogram-js';
import type { LatencyHistogram, WindowSide } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';
import { KeptSamples } from './kept-samples.ts';
import type { RequestReport, WatchedRow } from './messages.ts';
import type { Unlike } from './reading/answer-head.ts';
import { type Body, MAX_BODY } from './reading/body-keeper.ts';
import type { Place } from './ring.ts';

/** One answer in this many, drawn at random so that a server cannot know which, has its body kept. */
const SAMPLE_EVERY = 32;
/** Most characters of samples kept per side. */
const MAX_KEPT = 16_000_000;
/** Most arrival times kept per status: enough to see a limiter that does not limit. */
const MAX_TIMES = 2_000;
/** Most lengths of bodies told apart: a server whose bodies have more is not one that answers always the same. */
const MAX_LENGTHS = 16;
/** Stands for all lengths beyond these. */
const OTHER_LENGTH = 'other';
const MAX_LATENCY_US = 120_000_000;

export interface Counter {
	/** One answer: its status, its bytes on the wire, the milliseconds it took, what was asked, its body, and which headers changed. */
	onAnswer(status: number, bytes: number, milliseconds: number, place: Place, body: Body, unlike: Unlike): void;
	onError(error: Error, isTimeout?: boolean): void;
	/** Resolves when the next answer or error has arrived, or after `mostMs`. */
	next(mostMs: number): Promise<void>;
	/** Begins a window: everything counted so far is forgotten. */
	start(): void;
	/** Returns what arrived since `start`. */
	soFar(): { readonly completed: number; readonly bytes: number };
	/** Ends the window begun by `start` and returns what arrived in it. */
	finish(seconds: Seconds, cpuSeconds: Seconds | null): WindowSide;
	/** Answers and errors since the counter was made. */
	readonly total: { readonly answers: number; readonly errors: number };
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
	const total = { answers: 0, errors: 0 };
	const keepTimes = statuses.some((each) => each.length > 1);
	let counting = false;
	let completed = 0;
	let bytes = 0;
	let unexpected = 0;
	let errors = 0;
	let timeouts = 0;
	let byStatus: Record<string, number> = {};
	let kept = 0;
	let firstError: string | undefined;
	let onNext: (() => void) | null = null;

	/** Takes from a body what is wanted of it: only then is it read. */
	function look(tally: Tally, status: number, { request, row }: Place, body: Body, isUnexpected: boolean): void {
		const asBytes = compressed[request] === true;
		if (status === tally.statuses[0]) {
			countLength(tally.lengths, asBytes ? body.bytes : body.length);
			if (!asBytes && row !== undefined && watched.has(row)) kept += watch(tally.watched, row, body.text);
		}
		if (!isUnexpected && Math.random() * SAMPLE_EVERY >= 1) return;
		// What is cut off cannot be decompressed.
		if (kept >= MAX_KEPT || (asBytes && body.bytes > MAX_BODY)) return;
		const sample = { status, body: asBytes ? body.latin1 : body.text, count: 1, ...(row !== undefined && { row }) };
		kept += tally.samples.add(sample, isUnexpected);
	}

	return {
		onAnswer(status, size, milliseconds, place, body, unlike) {
			total.answers++;
			const tally = tallies[place.request] as Tally;
			if (keepTimes) keepTime(times, status);
			const isUnexpected = !tally.statuses.includes(status);
			if (counting) {
				completed++;
				tally.completed++;
				bytes += size;
				byStatus[status] = (byStatus[status] ?? 0) + 1;
				if (isUnexpected) {
					unexpected++;
					tally.unexpected++;
				}
				histogram.recordValue(Math.min(MAX_LATENCY_US, Math.max(1, Math.round(milliseconds * 1000))));
			}
			if (status === tally.statuses[0]) countHead(tally.headers, unlike);
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
		start() {
			histogram.reset();
			completed = bytes = unexpected = errors = timeouts = 0;
			byStatus = {};
			counting = true;
		},
		soFar: () => ({ completed, bytes }),
		finish(seconds, cpuSeconds) {
			counting = false;
			return {
				seconds,
				completed,
				bytes,
				statuses: byStatus,
				unexpected,
				errors,
				timeouts,
				cpuSeconds,
				latency: toSparse(histogram),
			};
		},
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

/** What is known of the answers to one request. */
interface Tally {
	readonly statuses: readonly number[];
	completed: number;
	unexpected: number;
	readonly samples: KeptSamples;
	readonly lengths: Map<number | typeof OTHER_LENGTH, number>;
	readonly headers: { answers: number; bare: number; missing: number; readonly changed: number[] };
	/** The body of each watched row; null where it varies. */
	readonly watched: Map<number, string | null>;
}

function createTally(statuses: readonly number[]): Tally {
	const counts = { completed: 0, unexpected: 0 };
	const headers = { answers: 0, bare: 0, missing: 0, changed: [] };
	return { statuses, headers, ...counts, samples: new KeptSamples(), lengths: new Map(), watched: new Map() };
}

function reportTally({ completed, unexpected, samples, lengths, headers, watched }: Tally): RequestReport {
	return {
		completed,
		unexpected,
		samples: samples.list(),
		lengths: Object.fromEntries(lengths),
		headers: { ...headers, changed: [...headers.changed] },
		watched: [...watched].map(([row, body]): WatchedRow => ({ row, body })),
	};
}

/** Returns how many characters more are kept. */
function watch(watched: Tally['watched'], row: number, body: string): number {
	const before = watched.get(row);
	const start = body.slice(0, MAX_BODY);
	if (before === start || before === null) return 0;
	watched.set(row, before === undefined ? start : null);
	return before === undefined ? start.length : -before.length;
}

function countHead(headers: Tally['headers'], { missing, changed }: Unlike): void {
	headers.answers++;
	if (missing !== 0) {
		headers.bare++;
		headers.missing |= missing;
	}
	for (let at = 0, bits = changed; bits !== 0; at++, bits >>>= 1) {
		// Without holes, which are null in JSON.
		while (headers.changed.length <= at) headers.changed.push(0);
		headers.changed[at] = (headers.changed[at] as number) + (bits & 1);
	}
}

function countLength(lengths: Tally['lengths'], length: number): void {
	const key = lengths.has(length) || lengths.size < MAX_LENGTHS ? length : OTHER_LENGTH;
	lengths.set(key, (lengths.get(key) ?? 0) + 1);
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

/** Counts one side's answers. Windows are cut out of it by `start` and `finish`; between them nothing is counted. */
import { build, type Histogram } from 'hdr-histogram-js';
import type { LatencyHistogram, WindowSide } from '../../types/round.ts';
import type { Seconds } from '../../types/units.ts';
import type { SampledAnswer } from './messages.ts';

/** One answer in so many, drawn at random so that a server cannot know which, has its body kept. */
const SAMPLE_EVERY = 32;
/** Distinct sampled answers kept per side and turn. */
const MAX_SAMPLES = 8;
/** Longest sampled body kept, characters. */
const MAX_BODY = 262_144;
/** Most arrival times kept per status: enough to see a limiter that does not limit. */
const MAX_TIMES = 2_000;
/** Most lengths of bodies told apart: a server whose bodies have more is not one that answers always the same. */
const MAX_LENGTHS = 16;
const MAX_LATENCY_US = 120_000_000;

export interface Counter {
	onAnswer(status: number, bytes: number, milliseconds: number): void;
	onBody(body: string): void;
	onError(error: Error): void;
	/** Begins a window: everything counted so far is forgotten. */
	start(): void;
	/** Ends the window begun by `start` and returns what arrived in it. */
	finish(seconds: Seconds, cpuSeconds: Seconds | null): WindowSide;
	/** Answers and errors since the counter was made. */
	readonly total: { readonly answers: number; readonly errors: number };
	readonly samples: readonly SampledAnswer[];
	/** How often each length of body came with the usual status, over the whole turn; 0 for an answer without one. */
	readonly lengths: Readonly<Record<string, number>>;
	readonly firstError: string | undefined;
	/** Arrival times of each limited status in seconds, over the whole turn. */
	readonly times: Readonly<Record<string, readonly Seconds[]>>;
}

/** Makes a counter for a side whose right answers have one of `statuses`; arrival times are kept when there are several. */
export function createCounter(statuses: readonly number[], sampleBodies: boolean): Counter {
	const histogram = build({
		lowestDiscernibleValue: 1,
		highestTrackableValue: MAX_LATENCY_US,
		numberOfSignificantValueDigits: 2,
	});
	const samples = new Map<string, { status: number; body: string; count: number }>();
	const times: Record<string, Seconds[]> = {};
	const total = { answers: 0, errors: 0 };
	const lengths = new Map<number, number>();
	const keepTimes = statuses.length > 1;
	let counting = false;
	let completed = 0;
	let bytes = 0;
	let unexpected = 0;
	let errors = 0;
	let byStatus: Record<string, number> = {};
	let lastStatus = 0;
	let firstError: string | undefined;

	return {
		onAnswer(status, size, milliseconds) {
			total.answers++;
			lastStatus = status;
			if (keepTimes) keepTime(times, status);
			if (!counting) return;
			completed++;
			bytes += size;
			byStatus[status] = (byStatus[status] ?? 0) + 1;
			if (!statuses.includes(status)) unexpected++;
			histogram.recordValue(Math.min(MAX_LATENCY_US, Math.max(1, Math.round(milliseconds * 1000))));
		},
		onBody(body) {
			const wrongStatus = !statuses.includes(lastStatus);
			if (!wrongStatus) {
				if (!sampleBodies) return;
				if (lastStatus === statuses[0]) countLength(lengths, body.length);
				if (Math.random() * SAMPLE_EVERY >= 1) return;
			}
			const key = `${lastStatus}\n${body}`;
			const sample = samples.get(key);
			if (sample) sample.count++;
			else if (samples.size < MAX_SAMPLES)
				samples.set(key, { status: lastStatus, body: body.slice(0, MAX_BODY), count: 1 });
		},
		onError(error) {
			total.errors++;
			firstError ??= error.message;
			if (counting) errors++;
		},
		start() {
			histogram.reset();
			completed = bytes = unexpected = errors = 0;
			byStatus = {};
			counting = true;
		},
		finish(seconds, cpuSeconds) {
			counting = false;
			return {
				seconds,
				completed,
				bytes,
				statuses: byStatus,
				unexpected,
				errors,
				cpuSeconds,
				latency: toSparse(histogram),
			};
		},
		total,
		get samples() {
			return [...samples.values()];
		},
		get lengths() {
			return Object.fromEntries(lengths);
		},
		get firstError() {
			return firstError;
		},
		times,
	};
}

function countLength(lengths: Map<number, number>, length: number): void {
	const count = lengths.get(length);
	if (count !== undefined || lengths.size < MAX_LENGTHS) lengths.set(length, (count ?? 0) + 1);
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

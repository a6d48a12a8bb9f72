/** Counts and samples of the answers to one request. */
import type { RequestReport, SampledAnswer, WatchedRow } from './messages.ts';
import type { Unlike } from './reading/answer-head.ts';
import { MAX_BODY } from './reading/body-keeper.ts';

/** Most distinct answers kept with a right status, and as many with another. */
const MAX_SAMPLES = 8;

/** Most answers kept beyond the distinct ones. */
const MAX_OTHERS = 8;

/** Most answers kept of requests filled from a data file: any may be wrong. */
const MAX_FILLED = 64;

interface Reservoir {
	readonly kept: SampledAnswer[];
	readonly most: number;
	drawn: number;
}

/**
 * Wrong statuses never displace right ones, and later answers count like the first distinct ones: a server could fill
 * the room and then answer as it likes.
 */
class KeptSamples {
	readonly #right = new Map<string, SampledAnswer>();
	readonly #unexpected = new Map<string, SampledAnswer>();
	readonly #others: Reservoir = { kept: [], most: MAX_OTHERS, drawn: 0 };
	readonly #filled: Reservoir = { kept: [], most: MAX_FILLED, drawn: 0 };

	/** Returns the change in characters kept. */
	add(sample: SampledAnswer, isUnexpected: boolean): number {
		if (sample.row !== undefined && !isUnexpected) return keepAny(this.#filled, sample);
		const distinct = isUnexpected ? this.#unexpected : this.#right;
		const key = `${sample.status}\n${sample.body}`;
		const earlierSample = distinct.get(key);
		if (earlierSample === undefined && distinct.size >= MAX_SAMPLES) {
			return isUnexpected ? 0 : keepAny(this.#others, sample);
		}
		const body = earlierSample?.body ?? startOf(sample);
		distinct.set(key, { ...sample, body, count: (earlierSample?.count ?? 0) + sample.count });
		return earlierSample === undefined ? body.length : 0;
	}

	/** Scales the count of samples that represent others. */
	list(): SampledAnswer[] {
		const { kept, drawn } = this.#others;
		const others = kept.map((sample) => ({ ...sample, count: (sample.count * drawn) / kept.length }));
		return [...this.#right.values(), ...this.#unexpected.values(), ...others, ...this.#filled.kept];
	}
}

/** A server with more body lengths does not always answer the same. */
const MAX_LENGTHS = 16;
const OTHER_LENGTH = 'other';
const MAX_ENCODED = 4;

interface HeadCounts {
	answers: number;
	bare: number;
	missing: number;
	readonly changed: number[];
}

export interface Tally {
	readonly statuses: readonly number[];
	completed: number;
	unexpected: number;
	/** Kept only if several statuses are right. */
	readonly windows: Record<string, number>[];
	readonly samples: KeptSamples;
	readonly lengths: Map<number | typeof OTHER_LENGTH, number>;
	readonly headers: HeadCounts;
	/** For right statuses other than the usual one. */
	readonly headersOf: Map<number, HeadCounts>;
	/** Bodies by row; null if the body varies. */
	readonly watched: Map<number, string | null>;
	/** Raw bodies by row, if they may be compressed. */
	readonly encoded: Map<number, Encoded>;
}

interface Encoded {
	readonly kept: string[];
	drawn: number;
}

/** The first of `statuses` is the usual one. */
export function createTally(statuses: readonly number[]): Tally {
	const counts = { completed: 0, unexpected: 0, windows: [] };
	const headers = noHeads();
	const headersOf = new Map(statuses.slice(1).map((status) => [status, noHeads()]));
	const rows = { watched: new Map(), encoded: new Map() };
	return { statuses, headers, headersOf, ...counts, samples: new KeptSamples(), lengths: new Map(), ...rows };
}

function noHeads(): HeadCounts {
	return { answers: 0, bare: 0, missing: 0, changed: [] };
}

export function reportTally(tally: Tally): RequestReport {
	const { completed, unexpected, windows, samples, lengths, headers, headersOf, watched, encoded } = tally;
	const copy = (counts: HeadCounts) => ({ ...counts, changed: [...counts.changed] });
	const others = [...headersOf].filter(([, { answers }]) => answers > 0);
	return {
		completed,
		unexpected,
		statuses: windows.map((counts) => ({ ...counts })),
		samples: samples.list(),
		lengths: Object.fromEntries(lengths),
		headers: copy(headers),
		...(others.length > 0 && {
			headersOf: Object.fromEntries(others.map(([status, headCounts]) => [status, copy(headCounts)])),
		}),
		watched: [
			...[...watched].map(([row, body]): WatchedRow => ({ row, body })),
			...[...encoded].map(([row, { kept }]): WatchedRow => ({ row, body: null, encoded: kept })),
		],
	};
}

/** Returns the change in characters kept. */
export function watch(watched: Tally['watched'], row: number, body: string): number {
	const before = watched.get(row);
	const start = body.slice(0, MAX_BODY);
	if (before === start || before === null) return 0;
	watched.set(row, before === undefined ? start : null);
	return before === undefined ? start.length : -before.length;
}

export function countStatus({ windows }: Tally, status: number): void {
	const counts = windows.at(-1);
	if (counts) counts[status] = (counts[status] ?? 0) + 1;
}

/** Keeps a uniform sample of a watched row's raw bodies: compression may vary for one text. */
export function watchEncoded(encoded: Tally['encoded'], row: number, body: string): number {
	const seen = encoded.get(row) ?? { kept: [], drawn: 0 };
	encoded.set(row, seen);
	const { kept } = seen;
	if (kept.includes(body)) return 0;
	seen.drawn++;
	const at = kept.length < MAX_ENCODED ? kept.length : Math.floor(Math.random() * seen.drawn);
	if (at >= MAX_ENCODED) return 0;
	const before = kept[at]?.length ?? 0;
	kept[at] = body;
	return body.length - before;
}

export function countHead(tally: Tally, status: number, { missing, changed }: Unlike): void {
	const headers = status === tally.statuses[0] ? tally.headers : tally.headersOf.get(status);
	if (headers === undefined) return;
	headers.answers++;
	if (missing !== 0) {
		headers.bare++;
		headers.missing |= missing;
	}
	for (let at = 0, bits = changed; bits !== 0; at++, bits >>>= 1) {
		// Holes would become null in JSON.
		while (headers.changed.length <= at) headers.changed.push(0);
		headers.changed[at] = (headers.changed[at] as number) + (bits & 1);
	}
}

export function countLength(lengths: Tally['lengths'], length: number): void {
	const key = lengths.has(length) || lengths.size < MAX_LENGTHS ? length : OTHER_LENGTH;
	lengths.set(key, (lengths.get(key) ?? 0) + 1);
}

/** Keeps a uniform sample of a stream (J. Vitter, Random sampling with a reservoir, 1985, algorithm R). */
function keepAny(reservoir: Reservoir, sample: SampledAnswer): number {
	const { kept, most } = reservoir;
	reservoir.drawn++;
	const at = kept.length < most ? kept.length : Math.floor(Math.random() * reservoir.drawn);
	if (at >= most) return 0;
	const before = kept[at]?.body.length ?? 0;
	const body = startOf(sample);
	kept[at] = { ...sample, body };
	return body.length - before;
}

function startOf({ body }: SampledAnswer): string {
	return body.slice(0, MAX_BODY);
}

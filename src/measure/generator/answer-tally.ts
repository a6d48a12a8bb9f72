/** What is counted of the answers to one request. */
import type { RequestReport, SampledAnswer, WatchedRow } from './messages.ts';
import type { Unlike } from './reading/answer-head.ts';
import { MAX_BODY } from './reading/body-keeper.ts';

/** Distinct answers kept that have a right status, and as many of the others. */
const MAX_SAMPLES = 8;

/** Answers kept of those that found no room among the distinct ones. */
const MAX_OTHERS = 8;

/** Answers kept of a request that is filled from a data file: each may be another, and any of them the wrong one. */
const MAX_FILLED = 64;

/** A stream of answers, of which any is kept with the same chance. */
interface Reservoir {
	readonly kept: SampledAnswer[];
	readonly most: number;
	/** How many there were. */
	drawn: number;
}

/**
 * Samples of one request. Answers with a status that is not right never take the place of others, and what comes after many distinct
 * bodies counts as much as what came first: else a server could use up the room with a few answers, and then answer as it likes.
 */
class KeptSamples {
	readonly #right = new Map<string, SampledAnswer>();
	readonly #unexpected = new Map<string, SampledAnswer>();
	readonly #others: Reservoir = { kept: [], most: MAX_OTHERS, drawn: 0 };
	readonly #filled: Reservoir = { kept: [], most: MAX_FILLED, drawn: 0 };

	/** Returns how many characters more are kept. */
	add(sample: SampledAnswer, isUnexpected: boolean): number {
		if (sample.row !== undefined && !isUnexpected) return keepAny(this.#filled, sample);
		const distinct = isUnexpected ? this.#unexpected : this.#right;
		const key = `${sample.status}\n${sample.body}`;
		const known = distinct.get(key);
		if (known === undefined && distinct.size >= MAX_SAMPLES) {
			// How many have a wrong status is counted elsewhere.
			return isUnexpected ? 0 : keepAny(this.#others, sample);
		}
		const body = known?.body ?? startOf(sample);
		distinct.set(key, { ...sample, body, count: (known?.count ?? 0) + sample.count });
		return known === undefined ? body.length : 0;
	}

	/** All that are kept. Those that stand for others as well have the count of these. */
	list(): SampledAnswer[] {
		const { kept, drawn } = this.#others;
		const others = kept.map((sample) => ({ ...sample, count: (sample.count * drawn) / kept.length }));
		return [...this.#right.values(), ...this.#unexpected.values(), ...others, ...this.#filled.kept];
	}
}

/** Most lengths of bodies told apart: a server whose bodies have more is not one that answers always the same. */
const MAX_LENGTHS = 16;
/** Stands for all lengths beyond these. */
const OTHER_LENGTH = 'other';
/** Most different bodies kept of a watched row that may have come compressed. */
const MAX_ENCODED = 4;

/** What headers were like. */
interface HeadCounts {
	answers: number;
	bare: number;
	missing: number;
	readonly changed: number[];
}

/** What is known of the answers to one request. */
export interface Tally {
	readonly statuses: readonly number[];
	completed: number;
	unexpected: number;
	/** How often each status came in each window, where several are right. */
	readonly windows: Record<string, number>[];
	readonly samples: KeptSamples;
	readonly lengths: Map<number | typeof OTHER_LENGTH, number>;
	readonly headers: HeadCounts;
	/** Of other right answers than the usual ones, by status. */
	readonly headersOf: Map<number, HeadCounts>;
	/** The body of each watched row; null where it varies. */
	readonly watched: Map<number, string | null>;
	/** The bodies of each watched row as they came, where they may have come compressed. */
	readonly encoded: Map<number, Encoded>;
}

interface Encoded {
	/** All different. */
	readonly kept: string[];
	/** How many found none like them among those that were kept. */
	drawn: number;
}

/** Right answers have one of the `statuses`. */
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

/** Returns what is known so far. */
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
		...(others.length > 0 && { headersOf: Object.fromEntries(others.map(([status, own]) => [status, copy(own)])) }),
		watched: [
			...[...watched].map(([row, body]): WatchedRow => ({ row, body })),
			...[...encoded].map(([row, { kept }]): WatchedRow => ({ row, body: null, encoded: kept })),
		],
	};
}

/** Notes what a watched row was answered with. Returns how many characters more are kept. */
export function watch(watched: Tally['watched'], row: number, body: string): number {
	const before = watched.get(row);
	const start = body.slice(0, MAX_BODY);
	if (before === start || before === null) return 0;
	watched.set(row, before === undefined ? start : null);
	return before === undefined ? start.length : -before.length;
}

/** Counts a status in the window that was begun last. */
export function countStatus({ windows }: Tally, status: number): void {
	const counts = windows.at(-1);
	if (counts) counts[status] = (counts[status] ?? 0) + 1;
}

/**
 * The same text may come in other bytes each time, which are told apart later: of many different ones any is kept with the same chance.
 * Returns how many characters more are kept.
 */
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

/** Counts what the headers of a right answer were like. */
export function countHead(tally: Tally, status: number, { missing, changed }: Unlike): void {
	const headers = status === tally.statuses[0] ? tally.headers : tally.headersOf.get(status);
	if (headers === undefined) return;
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

/** Counts the length of a usual answer. */
export function countLength(lengths: Tally['lengths'], length: number): void {
	const key = lengths.has(length) || lengths.size < MAX_LENGTHS ? length : OTHER_LENGTH;
	lengths.set(key, (lengths.get(key) ?? 0) + 1);
}

// The sampled answers that are kept of one request, so few that any number of them can come.

/**
 * Keeps any of a stream with the same chance (J. Vitter, Random sampling with a reservoir, 1985, algorithm R). Returns how many
 * characters more are kept.
 */
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

/** What is counted of the answers to one request. */
import { KeptSamples } from './kept-samples.ts';
import type { RequestReport, WatchedRow } from './messages.ts';
import type { Unlike } from './reading/answer-head.ts';
import { MAX_BODY } from './reading/body-keeper.ts';

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

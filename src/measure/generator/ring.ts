/** A lap of requests that are ready to be sent: walked by all connections of a side together, and again from the start. */
import { fillRequest } from '../../text/placeholders.ts';
import type { HttpRequest } from '../../types/config.ts';
import type { Traffic } from '../../types/plan.ts';

/** One request of a lap. */
export interface Place {
	/** Which of the mix. */
	readonly request: number;
	/** Row of `Traffic.data` it was filled from; absent when from none. */
	readonly row?: number;
	readonly method: string;
	/** As it goes over the wire. */
	readonly requestBuffer: Buffer;
}

export interface Ring {
	/** Returns the next request to be sent. */
	next(): Place;
}

/** A lap whose requests can be replaced during the turn, to renew a token. */
export interface Lap extends Ring {
	/** Replaces the requests of the mix and continues at the current place. */
	rewrite(mix: readonly HttpRequest[]): void;
}

/**
 * Returns the lap of `traffic`, every request written once by `write`. Sending is then no more work than for a single request;
 * places without a row share what is sent.
 */
export function buildRing(mix: readonly HttpRequest[], traffic: Traffic, write: (request: HttpRequest) => Buffer): Lap {
	let lap = writeLap(mix, traffic, write);
	let at = 0;
	return {
		next() {
			const place = lap[at] as Place;
			at = at + 1 === lap.length ? 0 : at + 1;
			return place;
		},
		rewrite(others) {
			lap = writeLap(others, traffic, write);
		},
	};
}

function writeLap(
	mix: readonly HttpRequest[],
	traffic: Traffic,
	write: (request: HttpRequest) => Buffer,
): readonly Place[] {
	const plain = mix.map((request, index) => ({
		request: index,
		method: request.method,
		requestBuffer: write(request),
	}));
	return traffic.requests.map((index, at): Place => {
		const [place, request] = [plain[index], mix[index]];
		if (!place || !request) throw new RangeError(`the mix has no request ${index}`);
		const row = traffic.rows[at] ?? -1;
		const values = traffic.data[row];
		return values === undefined ? place : { ...place, row, requestBuffer: write(fillRequest(request, values)) };
	});
}

/** Rows of a data file that are watched in a turn. */
const WATCHED_ROWS = 32;

/**
 * Draws the rows whose answers are compared between the sides; no server can know which. A slow server gets to the first rows
 * of the order only, so early ones are drawn more often: as many below 100 as from 100 to 10,000.
 */
export function drawWatchedRows(rows: number): Set<number> {
	return new Set(Array.from({ length: WATCHED_ROWS }, () => Math.floor(rows ** Math.random()) - 1));
}

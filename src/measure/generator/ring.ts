/** Serialised requests, which all connections of a side take in turn, lap after lap. */
import { fillRequest } from '../../text/placeholders.ts';
import type { HttpRequest } from '../../types/config.ts';
import type { Traffic } from '../../types/plan.ts';

export interface Place {
	/** Index in the mix. */
	readonly request: number;
	readonly row?: number;
	readonly method: string;
	readonly requestBuffer: Buffer;
}

export interface Ring {
	next(): Place;
}

/** A lap whose requests can be replaced during the turn, for example to renew a token. */
export interface Lap extends Ring {
	/** Replaces the requests and continues at the current place. */
	rewrite(mix: readonly HttpRequest[]): void;
}

/** Returns the lap of `traffic`, serialised once by `write`: sending costs no more than for one request. */
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

const WATCHED_ROWS = 32;

/**
 * Draws the rows to compare, which a server cannot predict. Early rows are more likely, as many below 100 as from 100
 * to 10,000: a slow server only reaches the first.
 */
export function drawWatchedRows(rows: number): Set<number> {
	return new Set(Array.from({ length: WATCHED_ROWS }, () => Math.floor(rows ** Math.random()) - 1));
}

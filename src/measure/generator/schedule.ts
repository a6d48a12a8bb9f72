/** When the requests of a fixed rate are due. Pure: the clock and the randomness are the caller's. */

/** Requests due one after the other, for ever. */
export interface Schedule {
	/** When the next request is due, in milliseconds. */
	readonly next: number;
	/** Takes that request off. */
	take(): void;
	/** Returns how many requests have fallen due before `now`, whole slots only, whoever took them. */
	dueBy(now: number): number;
}

/**
 * Returns the schedule of `rate` requests a second from `startedAt`, in milliseconds. Time is cut into slots of 1 / rate; each has
 * one request, at a moment of it that `random`, uniform from 0 to 1, draws. So any stretch of time has its share of the requests, give or
 * take two: there are no bursts. And nothing keeps step with it: neither a timer of the server nor the other side's requests.
 */
export function createSchedule(rate: number, startedAt: number, random: () => number): Schedule {
	const slot = 1000 / rate;
	let index = 0;
	let next = startedAt + slot * random();
	return {
		get next() {
			return next;
		},
		take() {
			index++;
			next = startedAt + slot * (index + random());
		},
		dueBy: (now) => Math.max(0, Math.floor((now - startedAt) / slot)),
	};
}

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

/** When a connection may send its next request. */

/** A connection as a pace sees it. */
export interface Sender {
	/** How many requests it would take now; none while it waits for the server to close it. */
	readonly room: number;
	/**
	 * Sends the next request of the client. Its latency counts from `since`, milliseconds of `performance.now()`: the moment of
	 * sending, or an earlier one at which it should have been sent. Only while there is room.
	 */
	send(since: number): void;
}

/**
 * Told each time a connection gets room: when it is opened, again after it was lost, and after each answer. `now` is the time at
 * which that was seen, in milliseconds of `performance.now()`. It sends at once, or keeps the sender and sends later, as long as
 * there is room.
 */
export type Pace = (sender: Sender, now: number) => void;

/** A closed loop: an answer lets the next request go. */
export const closedLoop: Pace = (sender, now) => {
	while (sender.room > 0) sender.send(now);
};

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

/** Pacing of requests. Pure: clock and randomness come from the caller. */

export interface Schedule {
	/** In milliseconds. */
	readonly next: number;
	take(): void;
	/** Returns how many whole slots ended before `now`, taken or not. */
	dueBy(now: number): number;
}

export interface Sender {
	/** Requests it can take now; 0 while it waits for the server's close. */
	readonly room: number;
	/** Sends the next request; requires room. Latency counts from `since` (`performance.now()`): now, or when due. */
	send(since: number): void;
}

/**
 * Called when a connection gets room (opening, loss, answer) at `now` (`performance.now()`). Sends at once, or keeps
 * the sender and sends later.
 */
export type Pace = (sender: Sender, now: number) => void;

export const closedLoop: Pace = (sender, now) => {
	while (sender.room > 0) sender.send(now);
};

/**
 * Returns the schedule of `rate` requests per second from `startedAt` (ms). Each slot of 1 / rate has one request, at
 * a moment drawn by `random` (uniform from 0 to 1).
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

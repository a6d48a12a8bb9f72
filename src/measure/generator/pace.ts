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

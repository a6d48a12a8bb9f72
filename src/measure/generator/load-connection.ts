/** One connection of a client: sends its requests and reads their answers, one connection to the server after another. */
import { connect, type Socket } from 'node:net';
import { isOutOfPorts } from '../ports.ts';
import type { Pace, Sender } from './pace.ts';
import { AnswerFault, type Head, type Unlike } from './reading/answer-head.ts';
import { AnswerReader, type AnswerSink, type Expected, type UsualAnswer } from './reading/answer-reader.ts';
import { type Body, BodyKeeper } from './reading/body-keeper.ts';
import type { Place, Ring } from './ring.ts';

/** What a connection tells. */
export interface ConnectionEvents {
	/**
	 * One answer: its status, its bytes on the wire, the milliseconds since its request was sent, what was asked, its body, which is
	 * good until the callback returns, which of the headers that were looked for are not as they were, and since when these milliseconds
	 * count, by `performance.now()`.
	 */
	readonly onAnswer: (
		status: number,
		bytes: number,
		milliseconds: number,
		place: Place,
		body: Body,
		unlike: Unlike,
		since: number,
	) => void;
	/** The connection failed, or the server sent an invalid answer; called once per lost request. */
	readonly onFault: (error: Error) => void;
	/** The server closed the connection with this request unanswered. */
	readonly onLost: () => void;
	/** The server closed the connection before answering; the request is sent again on a new one. */
	readonly onResent: () => void;
	/** Nothing came for too long: once for each request that is given up. */
	readonly onTimeout: () => void;
	/** A connection is being opened from this port of ours. */
	readonly onOpen: (port: number) => void;
}

/** What all connections of a client have in common. */
export interface ConnectionPlan {
	readonly host: string;
	readonly port: number;
	readonly pipelining: number;
	/** Where requests come from. */
	readonly ring: Ring;
	/** Of each request of the ring, by `Place.request`. */
	readonly usual: (place: Place) => UsualAnswer;
	readonly pace: Pace;
	readonly events: ConnectionEvents;
}

/** Calls of `checkQuiet` in a row, with something owed and nothing sent, after which a connection is given up. */
export const MOST_QUIET = 10;

/** Margin before the keep-alive timeout that the server announces (s): a later request could meet the closing connection. */
const KEPT_MARGIN = 1;

/** Idempotent methods, which may be retried (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
/** Some servers send this before they close an idle connection (RFC 9110, section 15.5.9). */
const REQUEST_TIMEOUT = Buffer.from('HTTP/1.1 408');

/**
 * Everything is read into these bytes, in turn: what is read is done with when the callback returns. Only Windows, where benchgate
 * does not run, reads ahead.
 */
const READ_INTO = Buffer.allocUnsafeSlow(65_536);

/**
 * Handles connections as RFC 9112, sections 9.3 to 9.6, requires of a client. After an answer that closes the connection, it continues on a
 * new one at once. A connection that closes while idle, or whose keep-alive timeout is near, is reopened for the next request. A request
 * lost on a reused connection before the first byte of its answer is sent again once if its method is idempotent: the server may have
 * closed the connection before the request arrived. Its latency counts from the first attempt.
 */
export class LoadConnection implements Sender, AnswerSink {
	readonly #plan: ConnectionPlan;
	readonly #body = new BodyKeeper();
	/** Ring of unanswered requests, oldest first from `#oldest` on; the time each was sent; and whether it was sent again. */
	readonly #asked: (Place | undefined)[];
	readonly #since: Float64Array;
	readonly #isResent: Uint8Array;
	#oldest = 0;
	#count = 0;
	/** Requests written to this connection; the others wait for its first answer. */
	#written = 0;
	#reader: AnswerReader;
	/** Whether requests may be sent, if need be on a new connection. */
	#isOpen = false;
	#socket: Socket | undefined;
	/** A connection that the server announced it would close, and may not have closed yet. */
	#left: Socket | undefined;
	/** The server announced that it closes this connection: no more answers will come. */
	#isDone = false;
	/** Whether the connection was used, or open, before the oldest request was written. */
	#isReused = false;
	/** Requests are being sent again: no pipelining until the first answer. */
	#isCareful = false;
	/** The first byte of the oldest request's answer has arrived. */
	#hasBegun = false;
	/** Start of the idle time, 0 while requests are pending; and how long the connection may safely stay idle (ms). */
	#idleSince = 0;
	#mostIdle = Number.POSITIVE_INFINITY;
	/** When what is being read arrived. */
	#now = 0;
	#sent = 0;
	#sentAtCheck = 0;
	#quiet = 0;

	constructor(plan: ConnectionPlan) {
		this.#plan = plan;
		this.#asked = new Array(plan.pipelining).fill(undefined);
		this.#since = new Float64Array(plan.pipelining);
		this.#isResent = new Uint8Array(plan.pipelining);
		this.#reader = new AnswerReader(this);
	}

	/** Opens a connection, in the place of the one before, and sends on it as the pace says. */
	open(): void {
		this.close();
		this.#isOpen = true;
		this.#connect();
		this.#let(performance.now());
	}

	/** Closes it for good, or until it is opened again; what is under way is forgotten. */
	close(): void {
		this.#isOpen = false;
		this.#oldest = this.#count = this.#quiet = 0;
		this.#disconnect();
		this.#left?.destroy();
		this.#left = undefined;
	}

	/** Gives the connection up when the server has owed something for `MOST_QUIET` calls. To be called once a second. */
	checkQuiet(): void {
		this.#left?.destroy();
		const owed = this.#count;
		this.#quiet = owed > 0 && this.#sent === this.#sentAtCheck ? this.#quiet + 1 : 0;
		this.#sentAtCheck = this.#sent;
		if (this.#quiet < MOST_QUIET || this.#socket === undefined) return;
		this.open();
		for (let left = owed; left > 0; left--) this.#plan.events.onTimeout();
	}

	/** Whether something is asked and not answered. */
	get isOwed(): boolean {
		return this.#count > 0;
	}

	/** Whether a request sent before `moment` is still unanswered. */
	isOwedSince(moment: number): boolean {
		return this.#count > 0 && (this.#since[this.#oldest] as number) < moment;
	}

	/** Lets the pace send if there is room, on a new connection where it was closed. */
	wake(now: number): void {
		if (!this.#isOpen) this.open();
		else if (this.room > 0) this.#let(now);
	}

	get room(): number {
		if (!this.#isOpen || this.#isDone) return 0;
		const most = this.#isCareful ? 1 : this.#plan.pipelining;
		return Math.max(0, most - this.#count);
	}

	send(since: number): void {
		if (this.#idleSince !== 0) {
			if (performance.now() - this.#idleSince > this.#mostIdle) this.#disconnect();
			this.#idleSince = 0;
		}
		const at = this.#oldest + this.#count++;
		const slot = at < this.#since.length ? at : at - this.#since.length;
		this.#asked[slot] = this.#plan.ring.next();
		this.#since[slot] = since;
		this.#isResent[slot] = 0;
		if (this.#socket === undefined) this.#connect();
		this.#write(slot);
	}

	expected(): Expected | undefined {
		const place = this.#written === 0 ? undefined : this.#asked[this.#oldest];
		if (place === undefined) return undefined;
		this.#hasBegun = true;
		const usual = this.#plan.usual(place);
		this.#body.begin(usual.usualBody);
		return usual;
	}

	onPiece(bytes: Buffer, start: number, end: number): void {
		this.#body.add(bytes, start, end);
	}

	onAnswer(status: number, bytes: number, closes: boolean, head: Head): void {
		const slot = this.#oldest;
		const since = this.#since[slot] as number;
		this.#oldest = slot + 1 === this.#since.length ? 0 : slot + 1;
		this.#count--;
		this.#written--;
		this.#isDone = closes;
		this.#isReused = true;
		this.#isCareful = this.#hasBegun = false;
		const place = this.#asked[slot] as Place;
		this.#mostIdle = 1000 * (head.keptSeconds - KEPT_MARGIN);
		this.#plan.events.onAnswer(status, bytes, this.#now - since, place, this.#body, head, since);
		this.#body.release();
	}

	#connect(): void {
		const { host, port, events } = this.#plan;
		this.#reader = new AnswerReader(this);
		const socket: Socket = connect({
			host,
			port,
			onread: {
				buffer: READ_INTO,
				callback: (length) => {
					if (this.#socket === socket) this.#read(length);
					return true;
				},
			},
		});
		this.#socket = socket;
		socket.on('error', (error) => {
			if (this.#socket === socket) this.#fail(error);
		});
		socket.on('end', () => {
			if (this.#socket === socket) this.#end();
		});
		// Node connects to an IP address at the next tick. Report the port now: a connection closed before its `connect` event has used one
		// too.
		process.nextTick(() => socket.localPort && events.onOpen(socket.localPort));
	}

	/**
	 * Leaves the connection. If the server announced the close, let it close first: TIME_WAIT is then on its side and our port is free.
	 */
	#disconnect(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		this.#left?.destroy();
		this.#left = this.#isDone ? socket : undefined;
		if (!this.#isDone) socket?.destroy();
		this.#written = this.#idleSince = 0;
		this.#isDone = this.#isReused = this.#isCareful = this.#hasBegun = false;
		this.#body.release();
	}

	#write(slot: number): void {
		const socket = this.#socket as Socket;
		if (!this.#isReused && this.#written === 0 && !socket.connecting) this.#isReused = true;
		this.#written++;
		this.#sent++;
		socket.write((this.#asked[slot] as Place).requestBuffer);
	}

	/** Writes the requests to send again; only one before the connection's first answer. */
	#writeWaiting(): void {
		const most = this.#isCareful ? 1 : this.#count;
		while (this.#written < most) this.#write((this.#oldest + this.#written) % this.#since.length);
	}

	#read(length: number): void {
		// Read once for all that came together: between that and sending lies less than the two digits that are kept of a latency.
		this.#now = performance.now();
		if (
			this.#written === 0 &&
			READ_INTO.subarray(0, Math.min(length, REQUEST_TIMEOUT.length)).equals(REQUEST_TIMEOUT)
		) {
			this.#leave(undefined);
			return;
		}
		try {
			this.#reader.read(READ_INTO, length);
		} catch (error) {
			if (!(error instanceof AnswerFault)) throw error;
			this.#leave(error);
			return;
		}
		this.#body.settle();
		if (this.#isDone) {
			this.#leave(undefined);
			return;
		}
		if (this.#written < this.#count) this.#writeWaiting();
		if (this.room > 0) this.#let(this.#now);
		if (this.#count === 0) this.#idleSince = this.#now;
	}

	/** Lets the pace send; what it sends at once goes out together. */
	#let(now: number): void {
		if (this.#plan.pipelining === 1) {
			this.#plan.pace(this, now);
			return;
		}
		const socket = this.#socket;
		socket?.cork();
		this.#plan.pace(this, now);
		socket?.uncork();
	}

	#fail(error: Error): void {
		this.#now = performance.now();
		this.#leave(error);
	}

	#end(): void {
		this.#now = performance.now();
		this.#reader.end();
		this.#leave(undefined);
	}

	/** Continues without this connection, which the server closed or which failed with `error`. */
	#leave(error: Error | undefined): void {
		const { events } = this.#plan;
		const wasOpen = this.#socket?.connecting === false;
		const isIdle = this.#count === 0 && wasOpen && !(error instanceof AnswerFault);
		const { lost, resent } = this.#keepWaiting();
		const isCareful = !this.#isDone && this.#count > 0;
		// Without free ports `connect` fails at once: retrying would spin.
		if (error && isOutOfPorts(error)) this.close();
		else {
			this.#disconnect();
			if (this.#count > 0) {
				this.#connect();
				this.#isCareful = isCareful;
				this.#writeWaiting();
			}
			if (this.room > 0) this.#let(this.#now);
		}
		for (let left = resent; left > 0; left--) events.onResent();
		// A failure before the first request counts as an error too, and so does an answer without a request.
		const faults = error !== undefined && lost + resent === 0 && !isIdle ? 1 : lost;
		for (let left = faults; left > 0; left--) {
			if (error === undefined) events.onLost();
			else events.onFault(error);
		}
	}

	/** Keeps the unanswered requests to send again. Returns how many are lost, and how many are sent again because of the loss. */
	#keepWaiting(): { readonly lost: number; readonly resent: number } {
		const { length } = this.#since;
		let [kept, lost, resent] = [0, 0, 0];
		for (let at = 0; at < this.#count; at++) {
			const from = (this.#oldest + at) % length;
			const place = this.#asked[from] as Place;
			// The server has not processed requests behind its last answer (RFC 9112, section 9.6).
			const isUndone = this.#isDone || at >= this.#written;
			const isSafe = this.#isReused && this.#isResent[from] === 0 && IDEMPOTENT.has(place.method);
			if (!isUndone && (!isSafe || (at === 0 && this.#hasBegun))) {
				lost++;
				continue;
			}
			const to = (this.#oldest + kept++) % length;
			this.#asked[to] = place;
			this.#since[to] = this.#since[from] as number;
			this.#isResent[to] = isUndone ? (this.#isResent[from] as number) : 1;
			if (!isUndone) resent++;
		}
		this.#count = kept;
		return { lost, resent };
	}
}

/** One connection of a client: sends its requests and reads their answers, one connection to the server after another. */
import { connect, type Socket } from 'node:net';
import { isOutOfPorts } from '../ports.ts';
import type { Pace, Sender } from './pace.ts';
import { AnswerFault, type Head, type Unlike } from './reading/answer-head.ts';
import { AnswerReader, type AnswerSink, type Expected } from './reading/answer-reader.ts';
import { type Body, BodyKeeper } from './reading/body-keeper.ts';
import type { UsualAnswer } from './reading/usual-answer.ts';
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
	/** The connection failed, or what came on it is no answer: once for each request that is lost by it. */
	readonly onFault: (error: Error) => void;
	/** The server closed the connection with this request unanswered. */
	readonly onLost: () => void;
	/** The server closed the connection with this request unanswered, and it is sent again on another. */
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

/** Seconds before a server closes a connection, by its own words, from which on it is not used any more: a request may meet that. */
const KEPT_MARGIN = 1;

/** Methods whose requests may be sent twice (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
/** What some servers send before they close a connection on which nothing was asked for some time (RFC 9110, section 15.5.9). */
const REQUEST_TIMEOUT = Buffer.from('HTTP/1.1 408');

/**
 * Everything is read into these bytes, in turn: what is read is done with when the callback returns. Only Windows, where benchgate
 * does not run, reads ahead.
 */
const READ_INTO = Buffer.allocUnsafeSlow(65_536);

/**
 * Handles connections as RFC 9112, sections 9.3 to 9.6, has a client do it. One that the server gives up in an answer is left at once for
 * another. One that the server closes while nothing is asked, or says that it closes soon, is opened again when there is something to
 * ask. A request that is lost on a
 * connection which was in use before, without a byte of an answer, is sent again once where its method allows that: the server may have
 * closed the connection before it came. Its latency counts from when it was sent first.
 */
export class LoadConnection implements Sender, AnswerSink {
	readonly #plan: ConnectionPlan;
	readonly #body = new BodyKeeper();
	/** Requests without an answer, oldest first, from `#oldest` on and round again; since when; and which were sent again. */
	readonly #asked: (Place | undefined)[];
	readonly #since: Float64Array;
	readonly #isResent: Uint8Array;
	#oldest = 0;
	#count = 0;
	/** How many of them were written to this connection: the others wait for its first answer. */
	#written = 0;
	#reader: AnswerReader;
	/** Whether requests may be sent, be it on a connection that has to be opened first. */
	#isOpen = false;
	#socket: Socket | undefined;
	/** A connection that the server gave up and may not have closed yet. */
	#left: Socket | undefined;
	/** The server gave this connection up: no more answers are to come. */
	#isDone = false;
	/** Whether it was in use, or open, before the oldest request was written. */
	#isReused = false;
	/** Requests are being sent again: without pipelining, until the first answer. */
	#isCareful = false;
	/** A byte of the oldest request's answer has come. */
	#hasBegun = false;
	/** Since when nothing is asked on it, 0 while something is; and for how many milliseconds that is safe. */
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

	/** Whether something is asked since before a moment and not answered. */
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
		// Node connects to an address at the next tick; a connection that is closed before it is told open has been one as well.
		process.nextTick(() => socket.localPort && events.onOpen(socket.localPort));
	}

	/** Leaves the connection. A server that gave it up closes it itself, as a rule: then no port of ours has to wait to be used again. */
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

	/** Writes what waits to be sent again; only one request before the first answer of a connection. */
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

	/** Goes on without this connection: it was given up, closed, or failed with `error`. */
	#leave(error: Error | undefined): void {
		const { events } = this.#plan;
		const wasOpen = this.#socket?.connecting === false;
		const isIdle = this.#count === 0 && wasOpen && !(error instanceof AnswerFault);
		const { lost, resent } = this.#keepWaiting();
		const isCareful = !this.#isDone && this.#count > 0;
		// The kernel says so at once: trying again would leave no time for anything else.
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
		// What fails before anything is asked on it is an error as well, and an answer that nothing was asked for.
		const faults = error !== undefined && lost + resent === 0 && !isIdle ? 1 : lost;
		for (let left = faults; left > 0; left--) {
			if (error === undefined) events.onLost();
			else events.onFault(error);
		}
	}

	/** Keeps of what is not answered what is to be sent again. Returns how many requests are lost, and how many sent again because of that. */
	#keepWaiting(): { readonly lost: number; readonly resent: number } {
		const { length } = this.#since;
		let [kept, lost, resent] = [0, 0, 0];
		for (let at = 0; at < this.#count; at++) {
			const from = (this.#oldest + at) % length;
			const place = this.#asked[from] as Place;
			// Behind an answer that gives the connection up nothing was done (RFC 9112, section 9.6).
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

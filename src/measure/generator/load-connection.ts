import { connect, type Socket } from 'node:net';
import { isOutOfPorts } from '../ports.ts';
import type { Pace, Sender } from './pace.ts';
import { AnswerFault, type Head, type Unlike } from './reading/answer-head.ts';
import { AnswerReader, type AnswerSink, type Expected, type UsualAnswer } from './reading/answer-reader.ts';
import { type Body, BodyKeeper } from './reading/body-keeper.ts';
import type { Place, Ring } from './ring.ts';

export interface ConnectionEvents {
	/**
	 * `bytes` are counted on the wire, `milliseconds` from `since` (`performance.now()`). `unlike` marks headers that
	 * differ. `body` is valid until return.
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
	/** The connection failed or an answer was invalid. Called once per lost request. */
	readonly onFault: (error: Error) => void;
	/** The server closed the connection while a request was unanswered. */
	readonly onLost: () => void;
	readonly onResent: () => void;
	/** Called once per request given up. */
	readonly onTimeout: () => void;
	/** Called with the local port of each new connection. */
	readonly onOpen: (port: number) => void;
}

export interface ConnectionPlan {
	readonly host: string;
	readonly port: number;
	readonly pipelining: number;
	readonly ring: Ring;
	readonly usual: (place: Place) => UsualAnswer;
	readonly pace: Pace;
	readonly events: ConnectionEvents;
}

/** A connection is given up after this many calls of `checkQuiet` without progress. */
export const MOST_QUIET = 10;

/** Reuse ends this long (s) before the server's keep-alive timeout, when the server may close. */
const KEPT_MARGIN = 1;

/** Idempotent methods, which may be retried (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
/** Some servers send this before they close an idle connection (RFC 9110, section 15.5.9). */
const REQUEST_TIMEOUT = Buffer.from('HTTP/1.1 408');

/**
 * Shared, because each read is used up when the callback returns. Only Windows, where benchgate does not run, reads
 * ahead.
 */
const READ_INTO = Buffer.allocUnsafeSlow(65_536);

/**
 * Follows RFC 9112, sections 9.3 to 9.6. A connection that was closed, or is near its keep-alive timeout, is replaced. An
 * idempotent request lost on a reused connection before its answer began is sent again once. Its latency counts from
 * the first attempt.
 */
export class LoadConnection implements Sender, AnswerSink {
	readonly #plan: ConnectionPlan;
	readonly #body = new BodyKeeper();
	/** Ring buffer of unanswered requests, from `#oldest` on. */
	readonly #asked: (Place | undefined)[];
	readonly #since: Float64Array;
	readonly #isResent: Uint8Array;
	#oldest = 0;
	#count = 0;
	/** Requests written to this connection; the others wait for its first answer. */
	#written = 0;
	#reader: AnswerReader;
	#isOpen = false;
	#socket: Socket | undefined;
	/** Earlier connection that the server is closing. */
	#left: Socket | undefined;
	/** The server announced the close, so no more answers will come. */
	#isDone = false;
	/** The connection was used, or open, before the oldest request was written. */
	#isReused = false;
	/** Requests are sent again, without pipelining until the first answer. */
	#isCareful = false;
	/** The first byte of the oldest answer has arrived. */
	#hasBegun = false;
	/** Start of the idle time (0 while requests are pending) and the longest safe idle time (ms). */
	#idleSince = 0;
	#mostIdle = Number.POSITIVE_INFINITY;
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

	open(): void {
		this.close();
		this.#isOpen = true;
		this.#connect();
		this.#let(performance.now());
	}

	close(): void {
		this.#isOpen = false;
		this.#oldest = this.#count = this.#quiet = 0;
		this.#disconnect();
		this.#left?.destroy();
		this.#left = undefined;
	}

	/** Call once a second. */
	checkQuiet(): void {
		this.#left?.destroy();
		const owed = this.#count;
		this.#quiet = owed > 0 && this.#sent === this.#sentAtCheck ? this.#quiet + 1 : 0;
		this.#sentAtCheck = this.#sent;
		if (this.#quiet < MOST_QUIET || this.#socket === undefined) return;
		this.open();
		for (let timeoutsLeft = owed; timeoutsLeft > 0; timeoutsLeft--) this.#plan.events.onTimeout();
	}

	get isOwed(): boolean {
		return this.#count > 0;
	}

	isOwedSince(moment: number): boolean {
		return this.#count > 0 && (this.#since[this.#oldest] as number) < moment;
	}

	/** Lets the pace send, and opens a new connection if this one is closed. */
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
		// Node connects to an IP address at the next tick. The port is reported now: a connection that closes
		// before `connect` has used a port too.
		process.nextTick(() => socket.localPort && events.onOpen(socket.localPort));
	}

	/** After an announced close, we let the server close first: TIME_WAIT is then on its side and our port is free. */
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

	#writeWaiting(): void {
		const most = this.#isCareful ? 1 : this.#count;
		while (this.#written < most) this.#write((this.#oldest + this.#written) % this.#since.length);
	}

	#read(length: number): void {
		// Read once for all bytes: the error is below a latency's two digits.
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

	/** Pipelined requests go out in one write. */
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

	#leave(error: Error | undefined): void {
		const { events } = this.#plan;
		const wasOpen = this.#socket?.connecting === false;
		const isIdle = this.#count === 0 && wasOpen && !(error instanceof AnswerFault);
		const { lost, resent } = this.#keepWaiting();
		const isCareful = !this.#isDone && this.#count > 0;
		// Without free ports `connect` fails at once, so retrying would spin.
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
		for (let resendsLeft = resent; resendsLeft > 0; resendsLeft--) events.onResent();
		// A failure before the first request counts as an error, and so does an unsolicited answer.
		const faults = error !== undefined && lost + resent === 0 && !isIdle ? 1 : lost;
		for (let faultsLeft = faults; faultsLeft > 0; faultsLeft--) {
			if (error === undefined) events.onLost();
			else events.onFault(error);
		}
	}

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

/** One connection of a client: sends its requests and reads their answers, one connection to the server after another. */
import { connect, type Socket } from 'node:net';
import { isOutOfPorts } from '../ports.ts';
import type { Pace, Sender } from './pace.ts';
import { AnswerFault, type Unlike } from './reading/answer-head.ts';
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
	/** The connection failed, or what came on it is no answer. */
	readonly onFault: (error: Error) => void;
	/** The server closed the connection with this request unanswered. */
	readonly onLost: () => void;
	/** Nothing came for too long. */
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

/**
 * Everything is read into these bytes, in turn: what is read is done with when the callback returns. Only Windows, where benchgate
 * does not run, reads ahead.
 */
const READ_INTO = Buffer.allocUnsafeSlow(65_536);

export class LoadConnection implements Sender, AnswerSink {
	readonly #plan: ConnectionPlan;
	readonly #body = new BodyKeeper();
	/** Requests under way, oldest first, from `#oldest` on and round again; and since when. */
	readonly #asked: (Place | undefined)[];
	readonly #since: Float64Array;
	#oldest = 0;
	#count = 0;
	#reader: AnswerReader;
	#socket: Socket | undefined;
	/** No more answers are to come. */
	#isDone = false;
	/** When what is being read arrived. */
	#now = 0;
	#sent = 0;
	#sentAtCheck = 0;
	#quiet = 0;

	constructor(plan: ConnectionPlan) {
		this.#plan = plan;
		this.#asked = new Array(plan.pipelining).fill(undefined);
		this.#since = new Float64Array(plan.pipelining);
		this.#reader = new AnswerReader(this);
	}

	/** Opens a connection, in the place of the one before, and sends on it as the pace says. */
	open(): void {
		const { host, port, events } = this.#plan;
		this.close();
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
		this.#let(performance.now());
	}

	/** Closes it for good, or until it is opened again; what is under way is forgotten. */
	close(): void {
		const socket = this.#socket;
		this.#socket = undefined;
		this.#oldest = this.#count = this.#quiet = 0;
		this.#isDone = false;
		this.#body.release();
		socket?.destroy();
	}

	/** Gives the connection up when the server has owed something for `MOST_QUIET` calls. To be called once a second. */
	checkQuiet(): void {
		const isOwed = this.#count > 0 || this.#isDone;
		this.#quiet = isOwed && this.#sent === this.#sentAtCheck ? this.#quiet + 1 : 0;
		this.#sentAtCheck = this.#sent;
		if (this.#quiet < MOST_QUIET || this.#socket === undefined) return;
		this.open();
		this.#plan.events.onTimeout();
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
		if (this.#socket === undefined) this.open();
		else if (this.room > 0) this.#let(now);
	}

	get room(): number {
		return this.#socket === undefined || this.#isDone ? 0 : this.#plan.pipelining - this.#count;
	}

	send(since: number): void {
		const place = this.#plan.ring.next();
		const at = this.#oldest + this.#count++;
		const slot = at < this.#since.length ? at : at - this.#since.length;
		this.#asked[slot] = place;
		this.#since[slot] = since;
		this.#sent++;
		this.#socket?.write(place.requestBuffer);
	}

	expected(): Expected | undefined {
		const place = this.#count === 0 ? undefined : this.#asked[this.#oldest];
		if (place === undefined) return undefined;
		const usual = this.#plan.usual(place);
		this.#body.begin(usual.usualBody);
		return usual;
	}

	onPiece(bytes: Buffer, start: number, end: number): void {
		this.#body.add(bytes, start, end);
	}

	onAnswer(status: number, bytes: number, closes: boolean, unlike: Unlike): void {
		const slot = this.#oldest;
		const since = this.#since[slot] as number;
		this.#oldest = slot + 1 === this.#since.length ? 0 : slot + 1;
		this.#count--;
		this.#isDone = closes;
		const place = this.#asked[slot] as Place;
		this.#plan.events.onAnswer(status, bytes, this.#now - since, place, this.#body, unlike, since);
		this.#body.release();
	}

	#read(length: number): void {
		// Read once for all that came together: between that and sending lies less than the two digits that are kept of a latency.
		this.#now = performance.now();
		try {
			this.#reader.read(READ_INTO, length);
		} catch (error) {
			if (!(error instanceof AnswerFault)) throw error;
			this.#fail(error);
			return;
		}
		this.#body.settle();
		if (this.room > 0) this.#let(this.#now);
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
		// The kernel says so at once: trying again would leave no time for anything else.
		if (isOutOfPorts(error)) this.close();
		else this.open();
		this.#plan.events.onFault(error);
	}

	#end(): void {
		this.#now = performance.now();
		this.#reader.end();
		// Who says that it closes has answered all it wants to.
		const lost = this.#isDone ? 0 : this.#count;
		this.open();
		for (let left = lost; left > 0; left--) this.#plan.events.onLost();
	}
}

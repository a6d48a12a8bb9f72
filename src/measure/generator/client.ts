/** The only file that knows autocannon: one closed-loop client against one side. */

import { setTimeout as delay } from 'node:timers/promises';
import requestBuilder from 'autocannon/lib/httpRequestBuilder.js';
import autocannon from 'autocannon/lib/init.js';
import type { HttpRequest, Load } from '../../types/config.ts';
import type { Traffic } from '../../types/plan.ts';
import { type ConnectionEvents, type ConnectionPlan, LoadConnection } from './load-connection.ts';
import type { HeadersOfStatus } from './messages.ts';
import { closedLoop, type Pace } from './pace.ts';
import { UsualAnswer } from './reading/answer-reader.ts';
import { buildRing, type Lap, type Place, type Ring } from './ring.ts';
// The package's own entry pulls in its command line, which does not survive bundling.

export interface ClientEvents {
	readonly onAnswer: ConnectionEvents['onAnswer'];
	/** Names of headers that answers to each request are looked through for, in lower case; none when absent. */
	readonly headers?: readonly (readonly string[])[] | undefined;
	/** As `Target` has them. */
	readonly values?: readonly Readonly<Record<string, string>>[] | undefined;
	/** As `TurnOrder` has them. */
	readonly headersOf?: readonly HeadersOfStatus[] | undefined;
	/** A connection is being opened from this port of ours. */
	readonly onOpen: (port: number) => void;
	/** A connection error, reset or timeout, or an answer that is none. */
	readonly onError: (error: Error, isTimeout: boolean) => void;
	/** See `ConnectionEvents`. */
	readonly onResent?: () => void;
}

export interface Client {
	/** Stops sending; resolves when every connection is closed. */
	close(): Promise<void>;
	/** Returns whether a request sent before a moment is still unanswered. Absent at a fixed rate, and where connections come and go. */
	owes?(before: number): boolean;
}

/** A client that can rest with its connections open. */
export interface RestingClient extends Client {
	/**
	 * Sends no more; resolves when all that was asked has been answered. A connection that is still owed something after `mostMs`,
	 * a second unless told, is closed, and what it is owed forgotten.
	 */
	rest(mostMs?: number): Promise<void>;
	/** Sends again on all connections, and opens those that were closed. */
	resume(): void;
}

/** How often autocannon looks whether it should stop; a close takes at most this long. */
const STOP_INTERVAL_MS = 20;
/** autocannon wants an end; ours comes from `close`. The largest a timer can hold. */
const FOREVER_SECONDS = 2_000_000;
/** What autocannon makes of a timeout. */
const TIMED_OUT = 'request timed out';
/** Requests that were not answered for `MOST_QUIET` times as long have timed out. */
const QUIET_MS = 1_000;
/** How long a client that rests waits for what it has asked. */
export const MOST_OWED_MS = 1_000;
/** How often it looks whether all is answered. */
export const OWED_POLL_MS = 1;

/** Returns the requests of a mix as they go to `origin`, in their order. */
export function openRing(origin: string, mix: readonly HttpRequest[], traffic: Traffic): Lap {
	const { hostname, port } = new URL(origin);
	const write = requestBuilder({ hostname, port });
	return buildRing(mix, traffic, ({ method, path, headers, body }) =>
		write({ method, path, headers: { ...headers }, ...(body === undefined ? {} : { body }) }),
	);
}

/**
 * Starts load on `origin` at once and keeps it up until closed. Every answer is reported, whatever its status. With a ring its
 * requests are sent, all connections taking turns, instead of `request`. `pace` says when.
 */
export function openClient(
	origin: string,
	request: HttpRequest,
	load: Load,
	events: ClientEvents,
	ring?: Ring,
	pace: Pace = closedLoop,
): RestingClient {
	const connections: LoadConnection[] = [];
	let isResting = false;
	const gated: Pace = (sender, now) => {
		if (!isResting) pace(sender, now);
	};
	const planFor = sharePlan(origin, request, load, events, ring, gated);
	const run = autocannon({
		url: `${origin}${request.path}`,
		method: request.method,
		headers: { ...request.headers },
		...(request.body === undefined ? {} : { body: request.body }),
		connections: load.connections,
		pipelining: load.pipelining,
		duration: FOREVER_SECONDS,
		sampleInt: STOP_INTERVAL_MS,
		skipAggregateResult: true,
		setupClient: (connection: autocannon.Connection) => connections.push(replaceInside(connection, planFor)),
	});
	run.on('reqError', (error: Error) => events.onError(error, error.message === TIMED_OUT));
	const checking = setInterval(() => {
		for (const connection of connections) connection.checkQuiet();
	}, QUIET_MS);
	return {
		async rest(mostMs = MOST_OWED_MS) {
			isResting = true;
			const due = performance.now() + mostMs;
			while (connections.some(({ isOwed }) => isOwed) && performance.now() < due) await delay(OWED_POLL_MS);
			for (const connection of connections) if (connection.isOwed) connection.close();
		},
		resume() {
			isResting = false;
			const now = performance.now();
			for (const connection of connections) connection.wake(now);
		},
		owes: (before) => connections.some((connection) => connection.isOwedSince(before)),
		async close() {
			run.stop();
			await run;
			clearInterval(checking);
		},
	};
}

const UNANSWERED = 'the server closed a connection without answering the request on it';

type PlanFor = (connection: autocannon.Connection) => ConnectionPlan;

/** Returns what makes the plan of a connection; what they learn of usual answers they learn together. */
function sharePlan(
	origin: string,
	request: HttpRequest,
	{ pipelining }: Load,
	{ onAnswer, onOpen, onError, onResent = () => {}, headers = [], values = [], headersOf = [] }: ClientEvents,
	ring: Ring | undefined,
	pace: Pace,
): PlanFor {
	const { hostname, port } = new URL(origin);
	const usual = new Map<number, UsualAnswer>();
	const usualOf = (place: Place): UsualAnswer => {
		const { request: at, method } = place;
		const known = usual.get(at) ?? new UsualAnswer(method, headers[at], values[at], headersOf[at]);
		usual.set(place.request, known);
		return known;
	};
	return (connection) => ({
		host: hostname,
		port: Number(port),
		pipelining,
		ring: ring ?? repeat({ request: 0, method: request.method, ...connection.requestIterator.currentRequest }),
		usual: usualOf,
		pace,
		events: {
			onAnswer,
			onOpen,
			onResent,
			onLost: () => onError(new Error(UNANSWERED), false),
			onFault: (error) => connection.emit('connError', error),
			onTimeout: () => connection.emit('timeout'),
		},
	});
}

/** Returns a ring of one request. */
function repeat({ request, method, requestBuffer }: Place): Ring {
	const place = { request, method, requestBuffer };
	return { next: () => place };
}

/**
 * Replaces the inside of one of autocannon's connections before it connects for the first time: its parser, its queue and its
 * events take more time than all else (docs/measuring.md). What it makes of its options, when it opens and closes, and how it
 * counts errors stay its own.
 */
function replaceInside(connection: autocannon.Connection, planFor: PlanFor): LoadConnection {
	const inside = new LoadConnection(planFor(connection));
	connection._connect = () => inside.open();
	connection._destroyConnection = () => inside.close();
	// It would time out when nothing has been sent for long, though nothing may be under way.
	connection.timeout = FOREVER_SECONDS * 1000;
	return inside;
}

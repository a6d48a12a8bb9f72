/**
 * Client of one side, and the only file that knows autocannon. It imports inner modules: the package's entry pulls in
 * its command line, which does not survive bundling.
 */

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

export interface ClientEvents {
	readonly onAnswer: ConnectionEvents['onAnswer'];
	/** Header names to look for, by request, in lower case. */
	readonly headers?: readonly (readonly string[])[] | undefined;
	readonly values?: readonly Readonly<Record<string, string>>[] | undefined;
	readonly headersOf?: readonly HeadersOfStatus[] | undefined;
	readonly onOpen: (port: number) => void;
	readonly onError: (error: Error, isTimeout: boolean) => void;
	readonly onResent?: () => void;
}

export interface Client {
	close(): Promise<void>;
	/**
	 * Whether a request sent before `before` is unanswered. Absent at a fixed rate, and where connections come and go.
	 */
	owes?(before: number): boolean;
}

export interface RestingClient extends Client {
	/**
	 * Stops sending; resolves when all requests are answered. After `mostMs` (default 1 s) connections that owe an
	 * answer are closed.
	 */
	rest(mostMs?: number): Promise<void>;
	resume(): void;
}

/** A close takes at most this long. */
const STOP_INTERVAL_MS = 20;
/** autocannon needs an end, so this is about the longest timer (2^31 ms). */
const FOREVER_SECONDS = 2_000_000;
const TIMED_OUT = 'request timed out';
const QUIET_MS = 1_000;
export const MOST_OWED_MS = 1_000;
export const OWED_POLL_MS = 1;

export function openRing(origin: string, mix: readonly HttpRequest[], traffic: Traffic): Lap {
	const { hostname, port } = new URL(origin);
	const write = requestBuilder({ hostname, port });
	return buildRing(mix, traffic, ({ method, path, headers, body }) =>
		write({ method, path, headers: { ...headers }, ...(body === undefined ? {} : { body }) }),
	);
}

/**
 * Loads `origin` until closed, and reports every answer, whatever its status. When `pace` permits, connections take
 * turns at the requests of `ring`, or send `request`.
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

/** All connections share the usual answers that one of them learns. */
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
		const usualAnswer = usual.get(at) ?? new UsualAnswer(method, headers[at], values[at], headersOf[at]);
		usual.set(place.request, usualAnswer);
		return usualAnswer;
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

function repeat({ request, method, requestBuffer }: Place): Ring {
	const place = { request, method, requestBuffer };
	return { next: () => place };
}

/**
 * Replaces the parser, queue and events of an autocannon connection, which take more time than all else
 * (docs/measuring.md). autocannon still handles options, opening, closing and error counts.
 */
function replaceInside(connection: autocannon.Connection, planFor: PlanFor): LoadConnection {
	const inside = new LoadConnection(planFor(connection));
	connection._connect = () => inside.open();
	connection._destroyConnection = () => inside.close();
	// autocannon's timeout fires even if no answer is owed.
	connection.timeout = FOREVER_SECONDS * 1000;
	return inside;
}

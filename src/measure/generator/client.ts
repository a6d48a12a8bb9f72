/** The only file that knows autocannon: one closed-loop client against one side. */
// The package's own entry pulls in its command line, which does not survive bundling.
import requestBuilder from 'autocannon/lib/httpRequestBuilder.js';
import autocannon from 'autocannon/lib/init.js';
import type { HttpRequest, Load } from '../../types/config.ts';
import type { Traffic } from '../../types/plan.ts';
import { buildRing, type Place, type Ring } from './ring.ts';

export interface ClientEvents {
	/**
	 * One answer: its status, its bytes on the wire, and the milliseconds since its request was written; of a mix also what was
	 * asked.
	 */
	readonly onAnswer: (status: number, bytes: number, milliseconds: number, place?: Place) => void;
	/** The body of the answer just reported, as text. */
	readonly onBody: (body: string) => void;
	/** A connection is being opened from this port of ours. */
	readonly onOpen: (port: number) => void;
	/** A connection error, reset or timeout. */
	readonly onError: (error: Error) => void;
}

export interface Client {
	/** Stops sending; resolves when every connection is closed. */
	close(): Promise<void>;
}

/** How often autocannon looks whether it should stop; a close takes at most this long. */
const STOP_INTERVAL_MS = 20;
/** autocannon wants an end; ours comes from `close`. The largest a timer can hold. */
const FOREVER_SECONDS = 2_000_000;

/** Returns the requests of a mix as they go to `origin`, in their order. */
export function openRing(origin: string, mix: readonly HttpRequest[], traffic: Traffic): Ring {
	const { hostname, port } = new URL(origin);
	const write = requestBuilder({ hostname, port });
	return buildRing(mix, traffic, ({ method, path, headers, body }) =>
		write({ method, path, headers: { ...headers }, ...(body === undefined ? {} : { body }) }),
	);
}

/**
 * Starts load on `origin` at once and keeps it up until closed. Every answer is reported, whatever its status. With a ring its
 * requests are sent, all connections taking turns, instead of `request`.
 */
export function openClient(
	origin: string,
	request: HttpRequest,
	load: Load,
	events: ClientEvents,
	ring?: Ring,
): Client {
	/** What the answer under way is to. */
	let asked: Place | undefined;
	const onAsked = (place: Place) => {
		asked = place;
	};
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
		setupClient: (connection: autocannon.Connection) => {
			if (ring) connection.requestIterator = walk(ring, onAsked);
			prepareConnection(connection, ring ? methodAsked(connection) : () => request.method, events);
		},
		verifyBody: (body: string) => {
			events.onBody(body);
			return true;
		},
	});
	run.on('response', (_client: unknown, status: number, bytes: number, milliseconds: number) =>
		events.onAnswer(Number(status), bytes, milliseconds, asked),
	);
	run.on('reqError', (error: Error) => events.onError(error));
	return {
		async close() {
			run.stop();
			await run;
		},
	};
}

/** autocannon's own list of requests would be copied for each connection, and each would walk it from the start. */
function walk(ring: Ring, onAsked: (place: Place) => void): autocannon.RequestIterator {
	return {
		resetted: false,
		currentRequest: ring.next(),
		nextRequest() {
			this.currentRequest = ring.next();
		},
		recordBody: (place) => onAsked(place as Place),
	};
}

/** Returns the method of the request whose answer comes next. */
function methodAsked({ pipelinedRequests }: autocannon.Connection): () => string {
	return () => (pipelinedRequests.peek()?.req as Place | undefined)?.method ?? '';
}

/** Mends what autocannon gets wrong, before it connects for the first time: only then is its parser set up. */
function prepareConnection(connection: autocannon.Connection, method: () => string, events: ClientEvents): void {
	const connect = connection._connect;
	const last = { isOpen: false, announcedClose: false, failed: false };
	connection.on('connError', () => {
		last.failed = true;
	});
	connection._connect = function reconnect() {
		if (!last.isOpen) watchHeads(connection, method, last);
		// What autocannon told as an error is counted already; who says that it closes has answered all it wants to.
		if (!last.failed && !last.announcedClose) {
			for (let lost = connection.pipelinedRequests.size(); lost > 0; lost--) events.onError(new Error(UNANSWERED));
		}
		// autocannon keeps requests that a closed connection lost in its queue and matches later answers to them, which makes
		// latencies grow without bound; each new connection must start with an empty queue.
		connection.pipelinedRequests.clear();
		Object.assign(last, { isOpen: true, announcedClose: false, failed: false });
		connect.call(connection);
		const socket = connection.conn;
		// Node connects to an address at the next tick; a connection that is closed before it is told open has been one as well.
		process.nextTick(() => socket.localPort && events.onOpen(socket.localPort));
	};
}

const UNANSWERED = 'the server closed a connection without answering the request on it';

/** Statuses whose answers have no body, whatever their headers say (RFC 9110, section 6.4.1). */
const WITHOUT_BODY = [204, 304];

/**
 * autocannon waits for the body that Content-Length announces also where none follows: after HEAD, with 204 and with 304. And it
 * does not look whether the server says that it closes.
 */
function watchHeads({ parser }: autocannon.Connection, method: () => string, last: { announcedClose: boolean }): void {
	const { kOnHeadersComplete } = parser.constructor;
	const onHeadersComplete = parser[kOnHeadersComplete];
	parser[kOnHeadersComplete] = (head) => {
		onHeadersComplete?.(head);
		last.announcedClose = head.shouldKeepAlive === false;
		// What the parser is told is whether to skip the body.
		return method() === 'HEAD' || WITHOUT_BODY.includes(head.statusCode);
	};
}

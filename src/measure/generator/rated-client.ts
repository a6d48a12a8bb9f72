/**
 * Load at a fixed rate: one client against one side that sends when a request is due, whatever has been answered (an open loop).
 * When every connection waits for an answer, the request waits too. Its latency is counted from when it was due, so the wait is part
 * of it and a server that stalls cannot hide how many it kept waiting (G. Tene, How not to measure latency; wrk2).
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpRequest, Load } from '../../types/config.ts';
import { type ClientEvents, MOST_OWED_MS, OWED_POLL_MS, openClient, type RestingClient } from './client.ts';
import { createSchedule, type Pace, type Schedule, type Sender } from './pace.ts';
import type { Ring } from './ring.ts';

/** What fell due in some stretch of time. */
export interface DueCount {
	/** Requests that fell due. */
	readonly due: number;
	/** Requests that were sent, later than they were due. */
	readonly late: number;
}

export interface RatedClient extends RestingClient {
	/** Returns what counts what falls due from one moment, now by `performance.now()`, to another. */
	startCount(from: number): (to: number) => DueCount;
}

export interface RatedLoad extends Load {
	readonly rate: number;
}

/** A request is late when it was sent so long after it was due: a timer that is not kept awake misses by one. */
const LATE_MS = 2;

/**
 * Starts load of `load.rate` requests a second on `origin` at once and keeps it up until closed. With `awake` the loop never sleeps,
 * as that of the generator; else timers wake it, which hold a millisecond at best. Connections take turns, one request on each.
 */
export function openRatedClient(
	origin: string,
	request: HttpRequest,
	load: RatedLoad,
	events: ClientEvents,
	{ ring, awake = false }: { readonly ring?: Ring | undefined; readonly awake?: boolean } = {},
): RatedClient {
	const begin = () => createSchedule(load.rate, performance.now(), Math.random);
	let schedule = begin();
	/** What falls due later is not sent. */
	let lastDue = Number.POSITIVE_INFINITY;
	const { pace, pump, late } = paceBy(
		() => schedule,
		() => lastDue,
	);
	const client = openClient(origin, request, { ...load, pipelining: 1 }, events, ring, pace);
	const stopPumping = keepPumping(pump, () => schedule, awake);
	return {
		startCount(from) {
			const before = late();
			const own = schedule;
			return (to) => ({ due: own.dueBy(to) - own.dueBy(from), late: late() - before });
		},
		async rest(mostMs = MOST_OWED_MS) {
			// What waits for a connection is owed as well: its latency counts.
			const began = performance.now();
			lastDue = began;
			const left = () => Math.max(0, began + mostMs - performance.now());
			while (schedule.next <= lastDue && left() > 0) await delay(OWED_POLL_MS);
			await client.rest(left());
		},
		resume() {
			// What fell due while it rested is not owed.
			schedule = begin();
			lastDue = Number.POSITIVE_INFINITY;
			client.resume();
		},
		async close() {
			stopPumping();
			await client.close();
		},
	};
}

/** Gives requests that are due to connections that are free. */
interface ScheduledPace {
	/** Keeps a connection that is free until something is due. */
	readonly pace: Pace;
	/** Sends all that is due, as far as there are connections. */
	readonly pump: () => void;
	/** Requests sent late so far. */
	readonly late: () => number;
}

function paceBy(current: () => Schedule, lastDue: () => number): ScheduledPace {
	/** In the order in which they became free. */
	const free = new Set<Sender>();
	let late = 0;
	const pump = () => {
		const now = performance.now();
		const schedule = current();
		for (const sender of free) {
			if (schedule.next > Math.min(now, lastDue())) return;
			free.delete(sender);
			// It was closed, or closes, since it was free.
			if (sender.room === 0) continue;
			const due = schedule.next;
			if (now - due > LATE_MS) late++;
			schedule.take();
			sender.send(due);
		}
	};
	const pace: Pace = (sender) => {
		free.add(sender);
		pump();
	};
	return { pace, pump, late: () => late };
}

/** Calls `pump` whenever something is due, until told to stop. */
function keepPumping(pump: () => void, current: () => Schedule, awake: boolean): () => void {
	let stopped = false;
	let timer: NodeJS.Timeout | undefined;
	const pass = () => {
		if (stopped) return;
		pump();
		if (awake) setImmediate(pass);
		else timer = setTimeout(pass, Math.max(1, current().next - performance.now()));
	};
	pass();
	return () => {
		stopped = true;
		clearTimeout(timer);
	};
}

/** Returns a client that loads at a rate; undefined for any other, and for none. */
export function asRated(client: object | undefined): RatedClient | undefined {
	return client && 'startCount' in client ? (client as RatedClient) : undefined;
}

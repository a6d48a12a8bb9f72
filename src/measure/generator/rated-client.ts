/**
 * Open-loop client at a fixed rate. Latency counts from the time a request is due, so a stalling server cannot hide how
 * many it kept waiting (G. Tene, How not to measure latency; wrk2).
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpRequest, Load } from '../../types/config.ts';
import { type ClientEvents, MOST_OWED_MS, OWED_POLL_MS, openClient, type RestingClient } from './client.ts';
import { createSchedule, type Pace, type Schedule, type Sender } from './pace.ts';
import type { Ring } from './ring.ts';

export interface DueCount {
	readonly due: number;
	readonly late: number;
}

export interface RatedClient extends RestingClient {
	/** Counts from `from` (`performance.now()`). The returned function counts up to `to`. */
	startCount(from: number): (to: number) => DueCount;
}

export interface RatedLoad extends Load {
	readonly rate: number;
}

/** Shorter delays are not late: timers of a sleeping loop miss by one. */
const LATE_MS = 2;

/**
 * Loads `origin` at `load.rate` requests per second until closed, connections in turn, one request on each. Without
 * `awake`, timers wake the loop, exact to a millisecond at best.
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
			const countedSchedule = schedule;
			return (to) => ({ due: countedSchedule.dueBy(to) - countedSchedule.dueBy(from), late: late() - before });
		},
		async rest(mostMs = MOST_OWED_MS) {
			// Requests that wait for a connection are owed too, because their latency counts.
			const began = performance.now();
			lastDue = began;
			const timeLeft = () => Math.max(0, began + mostMs - performance.now());
			while (schedule.next <= lastDue && timeLeft() > 0) await delay(OWED_POLL_MS);
			await client.rest(timeLeft());
		},
		resume() {
			// Requests that fell due during the rest are not owed.
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

interface ScheduledPace {
	readonly pace: Pace;
	/** Sends due requests on free connections. */
	readonly pump: () => void;
	readonly late: () => number;
}

function paceBy(current: () => Schedule, lastDue: () => number): ScheduledPace {
	/** Senders in the order in which they became free. */
	const free = new Set<Sender>();
	let late = 0;
	const pump = () => {
		const now = performance.now();
		const schedule = current();
		for (const sender of free) {
			if (schedule.next > Math.min(now, lastDue())) return;
			free.delete(sender);
			// Closed or closing since it became free.
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

export function asRated(client: object | undefined): RatedClient | undefined {
	return client && 'startCount' in client ? (client as RatedClient) : undefined;
}

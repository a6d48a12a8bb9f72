import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listTree } from '../../process/process-tree.ts';
import { ownsListener } from '../../process/socket-table.ts';
import type { Seconds } from '../../types/units.ts';
import { noteOwn } from '../connections/own-connections.ts';
import { isOutOfPorts } from '../ports.ts';

const POLL_MS = 10;
/** A poll takes a fraction of this time, and no CPU of the server until it listens. */
export const START_POLL_MS = 2;
/** A server that listens accepts at once. */
const CONNECT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 2_000;

interface Starting {
	readonly pid: number;
	readonly origin: string;
	readonly exited: Promise<void>;
	ending(): string | null;
}

/** `unasked` means that no local port was free. Other strings describe the last answer of the ready path. */
export type Readiness = 'ready' | 'exited' | 'not-listening' | 'unasked' | (string & {});

/** Waits until the server accepts a connection and answers `path`, if given, with a status below 500. */
export async function waitUntilReady(
	server: Starting,
	ready: { readonly path?: string; readonly timeoutSeconds: Seconds; readonly isTimed?: boolean },
	signal: AbortSignal,
): Promise<Readiness> {
	const deadline = performance.now() + ready.timeoutSeconds * 1000;
	let state: Readiness = 'not-listening';
	let ended = false;
	void server.exited.then(() => {
		ended = true;
	});
	while (performance.now() < deadline) {
		signal.throwIfAborted();
		if (ended) return 'exited';
		const reached = await reach(server.origin);
		if (reached === 'accepted' && ownsPort(server) && !ended) {
			if (ready.path === undefined) return 'ready';
			const status = await statusOf(server.origin + ready.path);
			if (typeof status === 'number' && status < 500) return 'ready';
			state = status === 'unasked' ? status : `last answer: ${status}`;
		} else if (reached === 'unasked') state = reached;
		// Local ports are free again, so any further failure is the server's.
		else if (state === 'unasked') state = 'not-listening';
		// Each poll of a listening server is a real request, so polls become rarer.
		await delay(ready.isTimed && reached !== 'accepted' ? START_POLL_MS : POLL_MS);
	}
	return state;
}

/** False if another process listens there, so ours is about to fail; true if unknown (without /proc). */
function ownsPort(server: Starting): boolean {
	return ownsListener(listTree(server.pid), Number(new URL(server.origin).port)) !== false;
}

async function reach(origin: string): Promise<'accepted' | 'refused' | 'unasked'> {
	const { hostname, port } = new URL(origin);
	const socket = connect({ host: hostname, port: Number(port) });
	noteOwn(socket, Number(port));
	try {
		await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
		return 'accepted';
	} catch (error) {
		return isOutOfPorts(error) ? 'unasked' : 'refused';
	} finally {
		socket.on('error', () => {}).destroy();
	}
}

function statusOf(url: string): Promise<number | string> {
	// Limits the whole request, because a server that sends a byte now and then is never idle.
	const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
	return new Promise((resolve) => {
		const request = get(url, { agent: false, signal }, (response) => {
			resolve(response.statusCode ?? 0);
			response.on('error', () => {}).resume();
		});
		request.on('socket', (socket) => noteOwn(socket, Number(new URL(url).port)));
		request.on('error', (error) =>
			resolve(
				signal.aborted ? `no answer within ${ANSWER_TIMEOUT_MS} ms` : isOutOfPorts(error) ? 'unasked' : error.message,
			),
		);
	});
}

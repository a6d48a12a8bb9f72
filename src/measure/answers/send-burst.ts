/** Finds limiters: sends many requests at once. */
import { Agent, type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import type { Socket } from 'node:net';
import { countOf } from '../../text/numbers.ts';
import type { Expectation, HttpRequest } from '../../types/config.ts';
import type { Seconds } from '../../types/units.ts';
import { noteOwn } from '../connections/own-connections.ts';
import { show } from './answer.ts';

export interface Burst {
	readonly requests: number;
	readonly seconds: Seconds;
}

export interface Shot {
	readonly request: HttpRequest;
	readonly expect: Pick<Expectation, 'status'>;
}

export interface Refusal {
	readonly code: 'limited' | 'unexpected-answers' | 'no-answer';
	readonly message: string;
}

/** Fewer may be chance. */
const MOST_UNEXPECTED = 3;
const LONGEST_BODY = 2_000;

/**
 * Sends `shots` over `connections` until `burst` is used up. Returns how the server refused three, else null. Resends
 * what a used connection lost.
 */
export async function sendBurst(
	origin: string,
	shots: readonly Shot[],
	connections: number,
	burst: Burst,
): Promise<Refusal | null> {
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	const signal = AbortSignal.timeout(Math.ceil(1_000 * burst.seconds));
	let sent = 0;
	let right = 0;
	let wrong = 0;
	let first: Refusal | null = null;
	const note = (refusal: () => Refusal) => {
		wrong++;
		first ??= refusal();
	};
	const work = async () => {
		while (sent < burst.requests && wrong < MOST_UNEXPECTED && !signal.aborted) {
			const shot = shots[sent++ % shots.length];
			if (shot === undefined) return;
			const outcome = await fire(agent, origin, shot, signal);
			if (outcome === 'ended') return;
			if (outcome === 'right') right++;
			else note(() => describe(outcome, shot));
		}
	};
	try {
		await Promise.all(Array.from({ length: connections }, work));
	} finally {
		agent.destroy();
	}
	if (first === null || wrong < MOST_UNEXPECTED) return null;
	const { code, message } = first as Refusal;
	const before = `after ${countOf(right, 'right answer')} in a burst over ${countOf(connections, 'connection')}`;
	return { code, message: `${message}, ${before}` };
}

interface Wrong {
	readonly status: number;
	readonly retryAfter: string | undefined;
	readonly body: string;
}

function describe(wrong: Wrong | Error, { request, expect }: Shot): Refusal {
	const label = `${request.method} ${request.path}`;
	if (wrong instanceof Error) return { code: 'no-answer', message: `gave no answer to ${label} (${wrong.message})` };
	const { status, retryAfter, body } = wrong;
	const wait = retryAfter === undefined ? '' : ` (retry-after: ${show(retryAfter)})`;
	const text = body === '' ? '' : `, with body ${show(body)}`;
	const message = `gave a wrong answer to ${label}: status ${status} instead of ${expect.status.join(' or ')}${wait}${text}`;
	return { code: status === 429 || retryAfter !== undefined ? 'limited' : 'unexpected-answers', message };
}

const used = new WeakSet<Socket>();

type Outcome = 'right' | 'ended' | Wrong | Error;

async function fire(agent: Agent, origin: string, shot: Shot, signal: AbortSignal): Promise<Outcome> {
	for (let tries = 0; ; tries++) {
		const { outcome, wasUsed } = await once(agent, origin, shot, signal);
		if (signal.aborted) return 'ended';
		if (!(outcome instanceof Error) || !wasUsed || tries > agent.maxSockets) return outcome;
	}
}

function once(
	agent: Agent,
	origin: string,
	{ request: { method, path, headers, body }, expect }: Shot,
	signal: AbortSignal,
): Promise<{ readonly outcome: Outcome; readonly wasUsed: boolean }> {
	const { hostname, port } = new URL(origin);
	return new Promise((resolve) => {
		const outgoing: ClientRequest = openRequest({ hostname, port, path, method, headers, agent, signal });
		let wasUsed = false;
		const settle = (outcome: Outcome) => resolve({ outcome, wasUsed });
		outgoing.once('socket', (socket) => {
			wasUsed = used.has(socket);
			used.add(socket);
			if (!wasUsed) noteOwn(socket, Number(port));
		});
		outgoing.once('error', settle);
		outgoing.once('response', (response) => {
			void read(response, expect).then(settle, settle);
		});
		outgoing.end(body);
	});
}

async function read(response: IncomingMessage, { status: right }: Pick<Expectation, 'status'>): Promise<Outcome> {
	const { statusCode: status = 0, headers } = response;
	let body = '';
	for await (const chunk of response) if (body.length < LONGEST_BODY) body += String(chunk);
	return right.includes(status) ? 'right' : { status, retryAfter: headers['retry-after'], body };
}

/** Counts the work of requests on both sides. */

import { Agent, request as openRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fillRequest } from '../../text/placeholders.ts';
import { type HttpRequest, requestsOf } from '../../types/config.ts';
import type { Unseen } from '../../types/coverage.ts';
import type { SideCount, WorkKind } from '../../types/explain/counts.ts';
import type { Cell } from '../../types/plan.ts';
import type { ProbedWork } from '../../types/probe.ts';
import type { Side, Sides } from '../../types/units.ts';
import { ANSWER_TIMEOUT_MS } from '../answers/verify-scenario.ts';
import { type PeerReading, watchPeers } from '../connections/count-peers.ts';
import { TurnFailed } from '../generator-process.ts';
import type { StartContext } from '../pair.ts';
import type { LaboratoryOptions } from '../turn-parts.ts';
import { type HeardReports, mergeReports } from './listen-to-probes.ts';
import { isUnseen, type Probed, Refused, runProbed } from './run-probed.ts';

const WARMUP_REQUESTS = 150;
const SECOND_MS = 1_000;
const AFTER_TICK_MS = 20;
/** Coverage makes requests slower than in the warm-up. */
const LENGTHENED = 2;
const NO_PEERS: PeerReading = {
	peers: [],
	unseen: ['traffic with other programs: the program ss is missing'],
	isLossy: false,
};
const MOST_TRIES = 3;
/** A shell that started the server. */
const SHELL = /^(?:sh|bash|dash) \(process \d+\)$/;
/** A multiple of 50, so laps of a mix fit. */
const COUNTED_REQUESTS = 200;

/** Counts once, with fresh processes. Failures of a server are in `unseen`. */
export async function countCell(options: LaboratoryOptions, cell: Cell): Promise<Sides<SideCount>> {
	const windows = takeTurns();
	const [base, head] = await Promise.all([
		countSide(options, cell, 'base', windows),
		countSide(options, cell, 'head', windows),
	]);
	return { base, head };
}

async function countSide(options: LaboratoryOptions, cell: Cell, side: Side, windows: Turns): Promise<SideCount> {
	const turn = windows(side);
	try {
		const counted = await runProbed(options, cell, { side, countsWork: true }, (probed) =>
			countProbed(probed, side, options.start, turn),
		);
		return isUnseen(counted) ? { requests: 0, scripts: [], work: {}, peers: [], unseen: [counted] } : counted;
	} finally {
		turn.leave();
	}
}

async function countProbed(probed: Probed, side: Side, start: StartContext, turn: Turn): Promise<SideCount> {
	const inTurn = openInTurn(probed, side, start.signal);
	const peers = start.connections ? await watchPeers(probed.server, start) : null;
	try {
		const began = performance.now();
		const warmUp = () => inTurn.send(WARMUP_REQUESTS);
		await (peers ? peers.learn(warmUp) : warmUp());
		const neededMs = (LENGTHENED * (performance.now() - began) * COUNTED_REQUESTS) / WARMUP_REQUESTS;
		const countOnce = async () => {
			await peers?.begin();
			await untilTick(neededMs);
			const before = await probed.take();
			const wrong = await inTurn.send(COUNTED_REQUESTS);
			const after = await probed.take();
			const reading = (await peers?.end()) ?? NO_PEERS;
			if (wrong > 0) throw new Refused(`${wrong} of ${COUNTED_REQUESTS} requests got a wrong status`);
			return { before, after, reading };
		};
		return await turn.run(async () => {
			let counted = await countOnce();
			for (let tries = 1; counted.reading.isLossy && tries < MOST_TRIES; tries++) counted = await countOnce();
			const { before, after, reading } = counted;
			const { scripts, unseen } = mergeReports(before, after, { root: probed.root, answered: COUNTED_REQUESTS });
			return {
				requests: COUNTED_REQUESTS,
				scripts,
				work: sumWork(after),
				peers: reading.peers,
				unseen: [
					...unseen.filter(({ detail }) => !SHELL.test(detail)),
					...whenSilent(after),
					...reading.unseen.map((detail) => ({ kind: 'peer' as const, detail })),
				],
			};
		});
	} finally {
		inTurn.close();
		await peers?.close();
	}
}

interface Turn {
	leave(): void;
	/** Runs alone, once both sides are warm; a side stops when both have run. */
	run<T>(work: () => Promise<T>): Promise<T>;
}
type Turns = (side: Side) => Turn;

/** A short connection does not show its side, so one side alone may use the peers. */
function takeTurns(): Turns {
	const gates = () => ({ base: Promise.withResolvers<void>(), head: Promise.withResolvers<void>() });
	const [warm, done] = [gates(), gates()];
	const bothOf = ({ base, head }: typeof warm) => Promise.all([base.promise, head.promise]);
	let last: Promise<unknown> = bothOf(warm);
	return (side) => ({
		leave() {
			warm[side].resolve();
			done[side].resolve();
		},
		async run(work) {
			warm[side].resolve();
			const mine = last.then(work).finally(done[side].resolve);
			last = mine.catch(() => {});
			try {
				return await mine;
			} finally {
				await bothOf(done);
			}
		},
	});
}

function whenSilent({ reports }: HeardReports): readonly Unseen[] {
	return reports.length === 0
		? [{ kind: 'process', detail: 'calls, and a database inside the process: the server is no Node program' }]
		: [];
}

/** Node's clock of HTTP dates works once a second: a short window between its ticks has none. */
async function untilTick(neededMs: number): Promise<void> {
	if (neededMs > SECOND_MS - AFTER_TICK_MS) return;
	const left = SECOND_MS - (Date.now() % SECOND_MS);
	if (left < neededMs || left > SECOND_MS - AFTER_TICK_MS) await delay(left + AFTER_TICK_MS);
}

/** Sums all threads; system calls are those of whole processes. */
function sumWork({ reports }: HeardReports): SideCount['work'] {
	const works = reports.flatMap((report) => report?.work ?? []);
	if (works.length === 0) return {};
	const sum = (read: (work: ProbedWork) => number) => works.reduce((total, work) => total + read(work), 0);
	const calls = works.every((work) => work.calls !== null)
		? { reads: sum(({ calls }) => calls?.reads ?? 0), writes: sum(({ calls }) => calls?.writes ?? 0) }
		: {};
	return {
		'bytes-allocated': sum(({ bytes }) => bytes),
		promises: sum(({ promises }) => promises),
		collections: sum(({ collections }) => collections),
		...calls,
	} satisfies Partial<Record<WorkKind, number>>;
}

interface InTurn {
	/** Sends the next `count` requests. Returns how many got a wrong status. Throws TurnFailed without a complete answer. */
	send(count: number): Promise<number>;
	close(): void;
}

/** Sends the requests of a scenario over one connection, always in the same order. */
function openInTurn(
	{ server, scenario, traffic, verified }: Pick<Probed, 'server' | 'scenario' | 'traffic' | 'verified'>,
	side: Side,
	signal: AbortSignal,
): InTurn {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const requests = (verified.mix ?? [verified]).map(({ request }) => request[side]);
	const statuses = requestsOf(scenario).map(({ expect }) => expect.status);
	let at = 0;
	const next = (): { readonly request: HttpRequest; readonly right: readonly number[] } => {
		const place = at++ % (traffic?.requests.length ?? 1);
		const index = traffic?.requests[place] ?? 0;
		const row = traffic?.data[traffic.rows[place] ?? -1];
		const request = requests[index] as HttpRequest;
		return { request: row ? fillRequest(request, row) : request, right: statuses[index] ?? [] };
	};
	return {
		async send(count) {
			let wrong = 0;
			for (let sent = 0; sent < count; sent++) {
				signal.throwIfAborted();
				const { request, right } = next();
				if (!right.includes(await exchange(server.origin, request, agent))) wrong++;
			}
			return wrong;
		},
		close: () => agent.destroy(),
	};
}

/** The status. */
function exchange(origin: string, { method, path, headers, body }: HttpRequest, agent: Agent): Promise<number> {
	const { hostname, port } = new URL(origin);
	return new Promise((resolve, reject) => {
		const fail = (error: Error) => reject(new TurnFailed(`a request was not answered (${error.message})`));
		const outgoing = openRequest({ hostname, port, path, method, headers, agent, timeout: ANSWER_TIMEOUT_MS });
		outgoing.once('response', (response) => {
			response.once('end', () => resolve(response.statusCode ?? 0));
			response.once('error', fail);
			response.resume();
		});
		outgoing.once('timeout', () => outgoing.destroy(new Error(`${ANSWER_TIMEOUT_MS / 1000} s passed`)));
		outgoing.once('error', fail);
		outgoing.end(body);
	});
}

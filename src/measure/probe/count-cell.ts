/** Counts the work of requests on both sides. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Unseen } from '../../types/coverage.ts';
import type { SideCount, WorkKind } from '../../types/explain/counts.ts';
import type { Cell } from '../../types/plan.ts';
import type { ProbedWork } from '../../types/probe.ts';
import type { Side, Sides } from '../../types/units.ts';
import { type PeerReading, watchPeers } from '../connections/count-peers.ts';
import type { StartContext } from '../pair.ts';
import type { LaboratoryOptions } from '../turn-parts.ts';
import type { HeardReports } from './listen-to-probes.ts';
import { mergeReports } from './merge-reports.ts';
import { isUnseen, type Probed, Refused, runProbed } from './run-probed.ts';
import { openInTurn } from './send-in-turn.ts';

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
		turn.arrive();
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
	/** Lets the other side begin without this one. */
	arrive(): void;
	/** Runs alone, once both sides are warm. */
	run<T>(work: () => Promise<T>): Promise<T>;
}
type Turns = (side: Side) => Turn;

/** A short connection does not show its side, so one side alone may use the peers. */
function takeTurns(): Turns {
	const warm = { base: Promise.withResolvers<void>(), head: Promise.withResolvers<void>() };
	let last: Promise<unknown> = Promise.all([warm.base.promise, warm.head.promise]);
	return (side) => ({
		arrive: warm[side].resolve,
		async run(work) {
			warm[side].resolve();
			const mine = last.then(work);
			last = mine.catch(() => {});
			return await mine;
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

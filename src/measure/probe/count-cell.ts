/** Counts the work of requests on both sides. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Unseen } from '../../types/coverage.ts';
import type { SideCount, WorkKind } from '../../types/explain/counts.ts';
import type { Cell } from '../../types/plan.ts';
import type { ProbedWork } from '../../types/probe.ts';
import type { Side, Sides } from '../../types/units.ts';
import type { LaboratoryOptions } from '../turn-parts.ts';
import type { HeardReports } from './listen-to-probes.ts';
import { mergeReports } from './merge-reports.ts';
import { isUnseen, type Probed, Refused, runProbed } from './run-probed.ts';
import { openInTurn } from './send-in-turn.ts';

const WARMUP_REQUESTS = 150;
const SECOND_MS = 1_000;
const AFTER_TICK_MS = 20;
/** A shell that started the server. */
const SHELL = /^(?:sh|bash|dash) \(process \d+\)$/;
/** A multiple of 50, so that laps of a mix fit. */
const COUNTED_REQUESTS = 200;

/** Counts once, with fresh processes, both sides at the same time. Failures of a server are in `unseen`. */
export async function countCell(options: LaboratoryOptions, cell: Cell): Promise<Sides<SideCount>> {
	const [base, head] = await Promise.all([countSide(options, cell, 'base'), countSide(options, cell, 'head')]);
	return { base, head };
}

async function countSide(options: LaboratoryOptions, cell: Cell, side: Side): Promise<SideCount> {
	const counted = await runProbed(options, cell, { side, countsWork: true }, (probed) =>
		countProbed(probed, side, options.start.signal),
	);
	return isUnseen(counted) ? { requests: 0, scripts: [], work: {}, unseen: [counted] } : counted;
}

async function countProbed(probed: Probed, side: Side, signal: AbortSignal): Promise<SideCount> {
	const inTurn = openInTurn(probed, side, signal);
	try {
		await inTurn.send(WARMUP_REQUESTS);
		await untilTick();
		const before = await probed.take();
		const wrong = await inTurn.send(COUNTED_REQUESTS);
		const after = await probed.take();
		if (wrong > 0) throw new Refused(`${wrong} of ${COUNTED_REQUESTS} requests got a wrong status`);
		const { scripts, unseen } = mergeReports(before, after, { root: probed.root, answered: COUNTED_REQUESTS });
		return {
			requests: COUNTED_REQUESTS,
			scripts,
			work: sumWork(after),
			unseen: [...unseen.filter(({ detail }) => !SHELL.test(detail)), ...whenSilent(after)],
		};
	} finally {
		inTurn.close();
	}
}

function whenSilent({ reports }: HeardReports): readonly Unseen[] {
	return reports.length === 0 ? [{ kind: 'process', detail: 'the server is no Node program' }] : [];
}

/** Node's clock of HTTP dates works once a second: a short window after its tick has none. */
async function untilTick(): Promise<void> {
	await delay(SECOND_MS - (Date.now() % SECOND_MS) + AFTER_TICK_MS);
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

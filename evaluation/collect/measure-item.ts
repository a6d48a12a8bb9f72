import { openBench } from '../../src/measure/bench.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import { SERIES_VERSION } from '../series.ts';
import { openJournal, readBeginning } from '../series-files.ts';
import type { Item } from './item.ts';
import { measureLive } from './measure-live.ts';
import { type MeasureContext, openParticipant, type Participant, type ParticipantContext } from './participant.ts';

/**
 * Measures the missing rounds of `item`, one of each design in turn, and returns whether it is finished. Writes every
 * round before the next begins. `open` prepares a server.
 */
export async function measureItem(item: Item, context: MeasureContext, open = openParticipant): Promise<boolean> {
	if (item.experiment === 'live') return measureLive(item, context);
	const startedAt = (await readBeginning(context.folder, item.id)) ?? Date.now();
	const measure = (participants: readonly Participant[]) =>
		measureParticipants(item, participants, { ...context, startedAt });
	if (item.beside === undefined) return measure([await open(item, { ...context, startedAt })]);
	// Two generators share a CPU here, so neither may keep it busy while waiting.
	const shared = { ...context, startedAt, sharesCpu: true };
	const second = await openBench(context);
	try {
		const participant = await open(item, shared);
		const beside = await open({ ...item, server: item.beside }, { ...shared, bench: second });
		return await measure([participant, beside]);
	} finally {
		await second.close();
	}
}

async function measureParticipants(
	item: Item,
	participants: readonly Participant[],
	context: MeasureContext & Pick<ParticipantContext, 'startedAt'>,
): Promise<boolean> {
	const [first] = participants as readonly [Participant];
	const journal = await openJournal(context.folder, {
		kind: 'benchgate-series',
		version: SERIES_VERSION,
		id: item.id,
		experiment: item.experiment,
		effect: item.effect,
		createdAt: new Date(context.startedAt).toISOString(),
		environment: context.bench.environment(),
		versions: first.versions,
		plans: first.plans.map((plan, index) => ({
			...plan,
			cells: participants.flatMap((participant) => participant.plans[index]?.cells ?? []),
		})),
	});
	for (let done = journal.series.rounds.length; done < item.rounds * first.plans.length; done++) {
		if (!context.hasTime()) return false;
		const round = Math.floor(done / first.plans.length) + 1;
		const parts = await Promise.all(
			participants.map((participant) => runRound(participant, done % first.plans.length, round)),
		);
		await journal.append(merge(parts));
	}
	await journal.finish();
	return true;
}

function runRound({ plans, laboratory }: Participant, design: number, round: number): Promise<Round> {
	const plan = plans[design] as Plan;
	const names = plan.cells.map(({ id }) => id);
	return laboratory.runRound(planRound(plan, round, names, 'main'));
}

/** Merges rounds measured at the same time: the result lasted as long as the longest of them. */
function merge(parts: readonly Round[]): Round {
	const [first] = parts as readonly [Round];
	return {
		...first,
		seconds: Math.max(...parts.map((part) => part.seconds)),
		loadSeconds: Math.max(...parts.map((part) => part.loadSeconds)),
		cells: parts.flatMap((part) => part.cells),
	};
}

import { decide } from '../../src/judge/decide.ts';
import { runRounds } from '../../src/measure/run-rounds.ts';
import { planRound } from '../../src/plan/plan-round.ts';
import { monotonicSeconds } from '../../src/process/deadline.ts';
import type { Plan } from '../../src/types/plan.ts';
import { SERIES_VERSION } from '../series.ts';
import { writeSeries } from '../series-files.ts';
import type { Item } from './item.ts';
import { type MeasureContext, openParticipant } from './participant.ts';

/**
 * Runs `item` like `benchgate compare`: rounds until every row is decided or the budget is spent, without decided
 * cells. Returns whether it finished; an interrupted run is not stored.
 */
export async function measureLive(item: Item, context: MeasureContext): Promise<boolean> {
	const startedAt = Date.now();
	const { plans, versions, laboratory } = await openParticipant(item, { ...context, startedAt });
	const [plan] = plans as readonly [Plan];
	const { rounds, ended } = await runRounds(plan, {
		laboratory,
		cells: plan.cells.map(({ id }) => id),
		decide: (sofar, reason) => decide(plan, sofar, reason),
		planRound: (round, cells, purpose) => planRound(plan, round, cells, purpose),
		clock: monotonicSeconds,
		signal: context.signal,
		onDecision: async () => {},
	});
	if (ended === 'interrupted') return false;
	await writeSeries(context.folder, {
		kind: 'benchgate-series',
		version: SERIES_VERSION,
		id: item.id,
		experiment: item.experiment,
		effect: item.effect,
		createdAt: new Date(startedAt).toISOString(),
		environment: context.bench.environment(),
		versions,
		plans,
		rounds,
	});
	return true;
}

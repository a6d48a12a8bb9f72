import type { Plan } from '../../types/plan.ts';
import type { EndReason, LaneRun, Round } from '../../types/round.ts';
import { type OpenCells, type RoundsContext, runRounds } from '../run-rounds.ts';

export interface LaneWork<D extends OpenCells> extends Omit<RoundsContext<D>, 'signal'> {
	/** Contains only the lane's cells. */
	readonly plan: Plan;
}

export interface LanesProgress {
	/** Rounds by lane, then in order of measurement. */
	readonly rounds: readonly Round[];
	readonly lanes: readonly LaneRun[];
}

/** Ordered by how much more rounds could have changed. */
const ENDS: readonly EndReason[] = ['interrupted', 'budget', 'rounds'];

/**
 * Runs all lanes at once; each decides its own cells, as a shard does. Calls `keep` before each further round, one call
 * at a time. A failing lane ends the others through `stop`, which aborts `signal`; its error is thrown afterwards.
 */
export async function runLanes<D extends OpenCells>(
	works: readonly LaneWork<D>[],
	{ signal, stop }: { readonly signal: AbortSignal; readonly stop: AbortController },
	keep: (sofar: LanesProgress) => Promise<void>,
): Promise<LanesProgress & { readonly ended: EndReason }> {
	const rounds = works.map((): readonly Round[] => []);
	const ends = works.map((): EndReason => 'interrupted');
	const sofar = (): LanesProgress => ({
		rounds: rounds.flatMap((laneRounds, index) => laneRounds.map((round) => ({ ...round, lane: index + 1 }))),
		lanes: works.map(({ plan }, index) => ({
			lane: index + 1,
			cells: plan.cells.map(({ id }) => id),
			ended: ends[index] as EndReason,
		})),
	});
	const errors: unknown[] = [];
	let kept = Promise.resolve();
	const keepInTurn = () => {
		kept = kept.then(() => keep(sofar()));
		return kept;
	};
	const run = async ({ plan, onDecision, ...context }: LaneWork<D>, index: number) => {
		try {
			const done = await runRounds(plan, {
				...context,
				signal,
				onDecision: async (laneRounds, decision) => {
					rounds[index] = laneRounds.slice();
					await onDecision(laneRounds, decision);
					if (rounds.some((some) => some.length > 0)) await keepInTurn();
				},
			});
			rounds[index] = done.rounds;
			ends[index] = done.ended;
		} catch (error) {
			errors.push(error);
			stop.abort(error);
		}
	};
	await Promise.all(works.map(run));
	if (errors.length > 0) throw errors[0];
	return { ...sofar(), ended: ENDS.find((end) => ends.includes(end)) ?? 'decided' };
}

/** Rounds in several lanes at the same time: each measures and decides its own cells, as a shard does. */
import type { Plan } from '../../types/plan.ts';
import type { EndReason, LaneRun, Round } from '../../types/round.ts';
import { type OpenCells, type RoundsContext, runRounds } from '../run-rounds.ts';

/** What one lane has to do. */
export interface LaneWork<D extends OpenCells> extends Omit<RoundsContext<D>, 'signal'> {
	/** With its own cells alone. */
	readonly plan: Plan;
}

/** What all lanes have done so far, or in the end. */
export interface LanesProgress {
	/** By lane, and in each in the order they were measured. */
	readonly rounds: readonly Round[];
	readonly lanes: readonly LaneRun[];
}

/** The end that more rounds could have changed most comes first. */
const ENDS: readonly EndReason[] = ['interrupted', 'budget', 'rounds'];

/**
 * Runs the rounds of every lane and returns them all, each with its lane, and why measuring ended. `keep` is called with what there is
 * before a lane's next round, one call at a time. A lane that cannot go on ends all others by `stop`, which aborts `signal`, and its
 * error is thrown once they have ended.
 */
export async function runLanes<D extends OpenCells>(
	works: readonly LaneWork<D>[],
	{ signal, stop }: { readonly signal: AbortSignal; readonly stop: AbortController },
	keep: (sofar: LanesProgress) => Promise<void>,
): Promise<LanesProgress & { readonly ended: EndReason }> {
	const rounds = works.map((): readonly Round[] => []);
	const ends = works.map((): EndReason => 'interrupted');
	const sofar = (): LanesProgress => ({
		rounds: rounds.flatMap((own, index) => own.map((round) => ({ ...round, lane: index + 1 }))),
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
				onDecision: async (own, decision) => {
					rounds[index] = own.slice();
					await onDecision(own, decision);
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

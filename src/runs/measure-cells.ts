/** measure ⇄ decide over all cells of a run: in one lane, or in several at the same time. */
import { holdOrchestrator } from '../measure/lanes/find-lanes.ts';
import { type LanesProgress, runLanes } from '../measure/lanes/run-lanes.ts';
import { type OpenCells, type RoundsContext, runRounds } from '../measure/run-rounds.ts';
import { planRound } from '../plan/plan-round.ts';
import { monotonicSeconds } from '../process/deadline.ts';
import type { Plan } from '../types/plan.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Seconds } from '../types/units.ts';
import type { OpenLane, OpenLanes } from './open-lanes.ts';
import type { VerifiedPair } from './verify-pair.ts';

/** Which cells rounds go on for, and when they end. */
export interface EndRule<D extends OpenCells> {
	readonly decide: (rounds: readonly Round[], ended: EndReason | null) => D;
	/** Most rounds of a cell; those of the plan's last look when absent. */
	readonly mostRounds?: number;
	/** Returns the live status before each round; `left` is what the budget still has. */
	readonly describe: (cells: readonly string[], rounds: readonly Round[], decision: D, left: Seconds) => string;
}

/** Rounds, and where there were several lanes what each did. */
export type MeasuredCells = Pick<LanesProgress, 'rounds'> & Partial<Pick<LanesProgress, 'lanes'>>;

export interface CellsContext<D extends OpenCells> {
	/** The rule of a run of `plan`, or of the lane that has its cells. */
	readonly rule: (plan: Plan) => EndRule<D>;
	readonly signal: AbortSignal;
	/** Aborts `signal` where there are several lanes. */
	readonly stop: AbortController;
	/** What the budget still has. */
	readonly left: () => Seconds;
	readonly onStatus: (text: string) => void;
	/** Given what there is before each round but the first. */
	readonly keep: (sofar: MeasuredCells) => Promise<void>;
}

/** Runs rounds until the rule ends them, and returns all with the reason why measuring ended. */
export async function measureCells<D extends OpenCells>(
	{ refused }: Pick<VerifiedPair, 'refused'>,
	{ lanes, orchestrator }: Pick<OpenLanes, 'lanes' | 'orchestrator'>,
	context: CellsContext<D>,
): Promise<MeasuredCells & { readonly ended: EndReason }> {
	const refusedCells = new Set(refused.map(({ cell }) => cell));
	const statuses = lanes.map(() => '');
	const workOf = ({ plan, laboratory }: OpenLane, lane: number): Omit<RoundsContext<D>, 'signal'> => {
		const cells = plan.cells.map((cell) => cell.id).filter((id) => !refusedCells.has(id));
		const { decide, mostRounds, describe } = context.rule(plan);
		return {
			laboratory,
			cells,
			...(mostRounds !== undefined && { mostRounds }),
			decide,
			planRound: (round, active, purpose) => planRound(plan, round, active, purpose),
			clock: monotonicSeconds,
			onDecision: async (sofar, decision) => {
				statuses[lane] = describe(cells, sofar, decision, context.left());
				context.onStatus(joinStatuses(statuses));
			},
		};
	};
	const [only] = lanes;
	if (only !== undefined && lanes.length === 1) {
		const work = workOf(only, 0);
		return runRounds(only.plan, {
			...work,
			signal: context.signal,
			onDecision: async (sofar, decision) => {
				await work.onDecision(sofar, decision);
				if (sofar.length > 0) await context.keep({ rounds: sofar });
			},
		});
	}
	const letGo = orchestrator === null ? () => {} : holdOrchestrator(orchestrator);
	try {
		const works = lanes.map((lane, index) => ({ ...workOf(lane, index), plan: lane.plan }));
		return await runLanes(works, context, context.keep);
	} finally {
		letGo();
	}
}

/** What each lane does, where there are several; a lane that has nothing left says nothing. */
function joinStatuses(statuses: readonly string[]): string {
	if (statuses.length === 1) return statuses[0] ?? '';
	return statuses.flatMap((status, index) => (status === '' ? [] : `Lane ${index + 1}, ${status}`)).join('\n');
}

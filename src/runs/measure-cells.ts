/** The loop that measures and decides, in one lane or several. */
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

export interface EndRule<D extends OpenCells> {
	readonly decide: (rounds: readonly Round[], ended: EndReason | null) => D;
	readonly mostRounds?: number;
	/** Returns the live status before each round. `secondsLeft` is the rest of the budget. */
	readonly describe: (cells: readonly string[], rounds: readonly Round[], decision: D, secondsLeft: Seconds) => string;
}

/** `lanes` is set only with several lanes. */
export type MeasuredCells = Pick<LanesProgress, 'rounds'> & Partial<Pick<LanesProgress, 'lanes'>>;

export interface CellsContext<D extends OpenCells> {
	readonly rule: (plan: Plan) => EndRule<D>;
	readonly signal: AbortSignal;
	/** With several lanes, it aborts `signal`. */
	readonly stop: AbortController;
	readonly left: () => Seconds;
	readonly onStatus: (text: string) => void;
	/** Called before each round except the first. */
	readonly keep: (sofar: MeasuredCells) => Promise<void>;
}

export async function measureCells<D extends OpenCells>(
	{ refused }: Pick<VerifiedPair, 'refused'>,
	{ lanes, orchestrator }: Pick<OpenLanes, 'lanes' | 'orchestrator'>,
	context: CellsContext<D>,
): Promise<MeasuredCells & { readonly ended: EndReason }> {
	const refusedCells = new Set(refused.map(({ cell }) => cell));
	const statuses = lanes.map(() => '');
	const loading = lanes.map(() => '');
	const show = () => context.onStatus(joinStatuses(statuses, loading));
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
				loading[lane] = '';
				show();
			},
			onCell: (cell) => {
				loading[lane] = cell;
				show();
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

function joinStatuses(statuses: readonly string[], loading: readonly string[]): string {
	const parts = statuses.flatMap((status, index) => {
		if (status === '') return [];
		const lane = statuses.length === 1 ? '' : `Lane ${index + 1}, `;
		return `${lane}${status}${loading[index] ? `\n  Loading ${loading[index]}` : ''}`;
	});
	return parts.join('\n');
}

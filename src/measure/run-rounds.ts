import type { Plan, RoundPlan } from '../types/plan.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Seconds } from '../types/units.ts';
import type { Decision } from '../types/verdict.ts';
import type { Laboratory, OnCell } from './laboratory.ts';

export type OpenCells = Pick<Decision, 'undecided' | 'confirm'>;

export interface RoundsContext<D extends OpenCells = Decision> {
	readonly laboratory: Laboratory;
	/** All cells except the refused ones. */
	readonly cells: readonly string[];
	/** Limit of main rounds, and of confirm rounds. Default: the rounds of the plan's last look. */
	readonly mostRounds?: number;
	readonly decide: (rounds: readonly Round[], ended: EndReason | null) => D;
	readonly planRound: (round: number, cells: readonly string[], purpose: RoundPlan['purpose']) => RoundPlan;
	/** Monotonic. */
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	/** Called before each round, never under load. */
	readonly onDecision: (rounds: readonly Round[], decision: D) => Promise<void>;
	readonly onCell?: OnCell;
}

/**
 * Runs main rounds for undecided cells and confirm rounds for doubtful ones, in turn. Except the first, begins no round
 * that would exceed the budget.
 */
export async function runRounds<D extends OpenCells>(
	plan: Plan,
	context: RoundsContext<D>,
): Promise<{ rounds: Round[]; ended: EndReason }> {
	const rounds: Round[] = [];
	const began = context.clock();
	const mostRounds = context.mostRounds ?? plan.looks.at(-1)?.rounds ?? 0;
	const next = { main: 1, confirm: 1 };
	for (;;) {
		const decision = context.decide(rounds, null);
		await context.onDecision(rounds, decision);
		const wanted = (cells: readonly string[]) => cells.filter((cell) => context.cells.includes(cell));
		const work = {
			main: next.main > mostRounds ? [] : wanted(decision.undecided),
			confirm: next.confirm > mostRounds ? [] : wanted(decision.confirm),
		};
		if (work.main.length + work.confirm.length === 0) {
			const open = wanted([...decision.undecided, ...decision.confirm]).length > 0;
			return { rounds, ended: open ? 'rounds' : 'decided' };
		}
		for (const purpose of ['main', 'confirm'] as const) {
			if (work[purpose].length === 0) continue;
			if (context.signal.aborted) return { rounds, ended: 'interrupted' };
			const secondsLeft = plan.budgetSeconds - (context.clock() - began);
			if (rounds.length > 0 && expectSeconds(rounds, purpose, work[purpose].length) > secondsLeft)
				return { rounds, ended: 'budget' };
			try {
				const round = context.planRound(next[purpose]++, work[purpose], purpose);
				rounds.push(await context.laboratory.runRound(round, context.onCell));
			} catch (error) {
				if (context.signal.aborted) return { rounds, ended: 'interrupted' };
				throw error;
			}
		}
	}
}

/** Uses the mean time of a cell in rounds of that purpose or, without any, in all rounds. */
function expectSeconds(rounds: readonly Round[], purpose: Round['purpose'], cells: number): Seconds {
	const alike = rounds.filter((round) => round.purpose === purpose);
	const earlierRounds = alike.length > 0 ? alike : rounds;
	const seconds = earlierRounds.reduce((sum, round) => sum + round.seconds, 0);
	const measured = earlierRounds.reduce((sum, round) => sum + round.cells.length, 0);
	return measured === 0 ? 0 : (seconds / measured) * cells;
}

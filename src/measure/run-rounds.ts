/** measure ⇄ decide: rounds until every row is decided or the budget is spent. */

import type { Plan, RoundPlan } from '../types/plan.ts';
import type { EndReason, Round } from '../types/round.ts';
import type { Seconds } from '../types/units.ts';
import type { Decision } from '../types/verdict.ts';
import type { Laboratory } from './laboratory.ts';

/** The cells that rounds go on for. */
export type OpenCells = Pick<Decision, 'undecided' | 'confirm'>;

export interface RoundsContext<D extends OpenCells = Decision> {
	readonly laboratory: Laboratory;
	/** Cells that may be loaded: all of the plan but the refused ones. */
	readonly cells: readonly string[];
	/** Most main rounds, and most confirm rounds; those of the plan's last look when absent. */
	readonly mostRounds?: number;
	readonly decide: (rounds: readonly Round[], ended: EndReason | null) => D;
	readonly planRound: (round: number, cells: readonly string[], purpose: RoundPlan['purpose']) => RoundPlan;
	/** Monotonic seconds. */
	readonly clock: () => Seconds;
	readonly signal: AbortSignal;
	/** Called before each round with what is known so far, never under load. */
	readonly onDecision: (rounds: readonly Round[], decision: D) => Promise<void>;
}

/**
 * Runs main rounds for undecided cells and confirm rounds for doubtful ones, in turn, and returns all rounds with the
 * reason measuring ended. A round that would not fit into the budget is not begun; the first one always is.
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
			const left = plan.budgetSeconds - (context.clock() - began);
			if (rounds.length > 0 && expectSeconds(rounds, purpose, work[purpose].length) > left)
				return { rounds, ended: 'budget' };
			try {
				rounds.push(await context.laboratory.runRound(context.planRound(next[purpose]++, work[purpose], purpose)));
			} catch (error) {
				if (context.signal.aborted) return { rounds, ended: 'interrupted' };
				throw error;
			}
		}
	}
}

/** Seconds the next round will take, from the mean cost of a cell in rounds of its kind (of any kind, if there was none). */
function expectSeconds(rounds: readonly Round[], purpose: Round['purpose'], cells: number): Seconds {
	const alike = rounds.filter((round) => round.purpose === purpose);
	const known = alike.length > 0 ? alike : rounds;
	const seconds = known.reduce((sum, round) => sum + round.seconds, 0);
	const measured = known.reduce((sum, round) => sum + round.cells.length, 0);
	return measured === 0 ? 0 : (seconds / measured) * cells;
}

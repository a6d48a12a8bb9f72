import { decide } from '../../src/judge/decide.ts';
import { ROUNDS_PER_DISCARD } from '../../src/judge/looks/run-so-far.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import type { Decision } from '../../src/types/verdict.ts';
import { keepCells, renumberOne } from './rounds.ts';

/** What a run of benchgate on stored rounds came to. */
export interface Replay {
	/** The final one. */
	readonly decision: Decision;
	/** Rounds it used, main and confirm, each with the cells that were still measured and their share of its seconds. */
	readonly rounds: readonly Round[];
}

/**
 * Returns what `benchgate compare` would have said had it measured `main`, round by round and in this order: a cell that is
 * decided is left out of later rounds, and the run ends when none is left, when the looks of `plan` or when the rounds run out.
 * A cell that asks for confirmation gets alternating rounds: `confirm[i]` is the one measured next after `main[i]`, so they are
 * taken from where the main rounds stand when it first asks. Without any it ends inconclusive. Every main round must hold every
 * cell of the plan. The time budget is not applied. With `until` it ends as soon as that cell is decided, whose row is then the
 * same as at the end, while others may be left open.
 */
export function replayOurs(plan: Plan, main: readonly Round[], confirm: readonly Round[] = [], until?: string): Replay {
	const most = plan.looks.at(-1)?.rounds ?? 0;
	const mains = main.slice(0, most);
	const sure = canSkip(plan, mains);
	const rounds: Round[] = [];
	let decision = decide(plan, rounds, null);
	let confirms: Round[] | null = null;
	for (let used = 0; ; ) {
		const mainCells = used < mains.length ? decision.undecided : [];
		if (decision.confirm.length > 0) confirms ??= confirm.slice(Math.max(used - 1, 0)).slice(0, most);
		const again = decision.confirm.length > 0 ? confirms?.shift() : undefined;
		if (mainCells.length === 0 && !again) break;
		if (mainCells.length > 0) rounds.push(renumberOne(keepCells(mains[used++] as Round, mainCells), used, 'main'));
		if (again) rounds.push(renumberOne(keepCells(again, decision.confirm), rounds.length - used + 1, 'confirm'));
		if (again || used === mains.length || !sure || isDue(plan, used)) decision = decide(plan, rounds, null);
		if (until !== undefined && !openCells(decision).includes(until)) return { decision, rounds };
	}
	return { decision: openCells(decision).length > 0 ? decide(plan, rounds, 'rounds') : decision, rounds };
}

function openCells({ undecided, confirm }: Decision): readonly string[] {
	return [...undecided, ...confirm];
}

/** Whether some look may come due with main round `used`: at its number of rounds, or later by as many as are thrown away. */
function isDue(plan: Plan, used: number): boolean {
	const thrownAway = Math.floor(used / ROUNDS_PER_DISCARD);
	return plan.looks.some((look) => look.rounds <= used && used <= look.rounds + thrownAway);
}

/** Nothing but a look changes a decision where every answer was right and only throughput is gated. */
function canSkip(plan: Plan, rounds: readonly Round[]): boolean {
	const isClean = (round: Round) =>
		round.cells.every(
			({ faults, windows }) =>
				faults.length === 0 &&
				windows.every(({ base, head }) =>
					[base, head].every((side) => !side || (side.completed > 0 && side.unexpected + side.errors === 0)),
				),
		);
	return plan.metrics.every((metric) => metric === 'throughput') && rounds.every(isClean);
}

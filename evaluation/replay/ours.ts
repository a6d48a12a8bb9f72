import { decide } from '../../src/judge/decide.ts';
import { ROUNDS_PER_DISCARD } from '../../src/judge/looks/run-so-far.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import type { Decision } from '../../src/types/verdict.ts';
import { keepCells, renumberOne } from './rounds.ts';

/** The outcome of a run of benchgate on stored rounds. */
export interface Replay {
	/** The final one. */
	readonly decision: Decision;
	/** Rounds it used, main and confirm, each with the undecided cells and their share of its seconds. */
	readonly rounds: readonly Round[];
}

/**
 * Returns the decision that `benchgate compare` would have reached on `main`, round by round in this order: later
 * rounds skip decided cells, and the run ends when all are decided, or when the looks of `plan` or the rounds run out.
 * A cell that needs confirmation gets alternating rounds: `confirm[i]` was measured right after `main[i]`, so they
 * start at the main round in which the need arose. Without any it ends inconclusive. Every main round must hold every
 * cell of the plan. The time budget is not applied. With `until` it ends as soon as that cell is decided; the row of
 * that cell is then final, while others may be open.
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

/**
 * Whether some look may be due at main round `used`: at its number of rounds, or later by the number of discarded ones.
 */
function isDue(plan: Plan, used: number): boolean {
	const thrownAway = Math.floor(used / ROUNDS_PER_DISCARD);
	return plan.looks.some((look) => look.rounds <= used && used <= look.rounds + thrownAway);
}

/** Only a look changes a decision if every answer was right and only throughput is gated. */
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

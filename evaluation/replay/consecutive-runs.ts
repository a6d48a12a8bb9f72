import { decide } from '../../src/judge/decide.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import type { Decision } from '../../src/types/verdict.ts';
import { replayOurs } from './ours.ts';
import { renumber } from './rounds.ts';

/** A run that has ended. */
export interface Finished {
	readonly plan: Plan;
	readonly decision: Decision;
	readonly rounds: readonly Round[];
}

/** Runs cut out of one long series. */
export interface ConsecutiveRuns {
	readonly finished: readonly Finished[];
	/** The series ended before its last run was decided. */
	readonly cutOff: boolean;
}

/**
 * Returns the successive runs in `rounds`: each begins with the round after the end of the one before, so no round is
 * in two. A run stopped by the end of the series is finished only if every row was decided by then, or if it was red
 * already.
 */
export function consecutiveRuns(plan: Plan, rounds: readonly Round[]): ConsecutiveRuns {
	const finished: Finished[] = [];
	const most = plan.looks.at(-1)?.rounds ?? 0;
	for (let queue = rounds; queue.length > 0; ) {
		const replay = replayOurs(plan, renumber(queue.slice(0, most)));
		const used = replay.rounds.filter(({ purpose }) => purpose === 'main').length;
		if (queue.length < most && isOpen(plan, replay.rounds) && replay.decision.gate.outcome !== 'fail') {
			return { finished, cutOff: true };
		}
		finished.push({ plan, ...replay });
		queue = queue.slice(Math.max(used, 1));
	}
	return { finished, cutOff: false };
}

/** Whether some row needs more rounds. */
function isOpen(plan: Plan, rounds: readonly Round[]): boolean {
	const { undecided, confirm } = decide(plan, rounds, null);
	return undecided.length + confirm.length > 0;
}

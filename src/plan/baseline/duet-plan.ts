/** What the plan of a baseline's duet has that other plans do not: figures of the commit alone, and time for a link. */
import type { Plan } from '../../types/plan.ts';
import { estimateSeconds } from '../timing.ts';

/** Rounds in which head is also loaded alone, where it has no figures of windows in turn with the reference. */
const SOLO_ROUNDS = 3;

/** What a link may take of the time that its rounds are expected to need. */
const SLACK = 1.5;

export interface DuetNeeds {
	/** The fewest that it must have. */
	readonly rounds: number;
	/** Cells whose absolute figures are known. */
	readonly known: Pick<ReadonlyMap<string, unknown>, 'has'>;
}

/**
 * Returns `plan` for a duet of a baseline; `usual` is how many rounds a level has at least. A budget that is too small for the fewest
 * rounds of a link would leave every era with a loose end, so a link takes the time it needs.
 */
export function planDuet(plan: Plan, usual: number, { rounds, known }: DuetNeeds): Plan {
	const { cells, design, budgetSeconds } = plan;
	const isKnown = plan.timing.soloRounds === 0 || cells.every(({ id }) => known.has(id));
	const timing = { ...plan.timing, soloRounds: isKnown ? 0 : SOLO_ROUNDS };
	if (rounds <= usual) return { ...plan, timing };
	const needed = SLACK * estimateSeconds(cells, rounds, design, timing);
	return { ...plan, timing, budgetSeconds: Math.max(budgetSeconds, needed) };
}

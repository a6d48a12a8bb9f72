import { planLooks } from '../../src/plan/looks.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { Plan } from '../../src/types/plan.ts';
import type { Round } from '../../src/types/round.ts';
import { LAWS, type LawName } from './laws.ts';
import { planOf, roundsOf, USUAL } from './runs.ts';

/** One run drawn at random: any law, 4 to 20 rounds, drops and rises up to 15 %, spreads from 0.3 % to 4 %. */
export interface Case {
	readonly plan: Plan;
	/** d of each cell, round by round. */
	readonly d: readonly (readonly number[])[];
}

/** Returns the case that follows from `seed`. */
export function drawCase(seed: number, cells: number): Case {
	const random = createRandom(seed, cells);
	const [law] = random.shuffle(Object.keys(LAWS)) as [LawName, ...LawName[]];
	const rounds = 4 + Math.floor(17 * random.next());
	const spread = 0.003 + 0.037 * random.next() ** 2;
	const d = Array.from({ length: cells }, () => {
		const effect = 0.3 * (random.next() - 0.5);
		return LAWS[law](random, rounds, spread).map((deviation) => effect + deviation);
	});
	return { plan: { ...planOf({ cells, ...USUAL }), looks: planLooks(rounds) }, d };
}

/** Returns the rounds of a case with `shift` added to every d. */
export function roundsIn({ plan, d }: Case, shift = 0): Round[] {
	return roundsOf(
		plan,
		d.map((cell) => cell.map((value) => value + shift)),
	);
}

import { type Fault, REACHED_FAULTS } from '../../types/round.ts';
import type { TurnWatch } from './turn-watch.ts';

/** Returns who reached for the other side while `watch` looked, or that somebody did; ends the watch. */
export async function findCulprits(watch: TurnWatch | undefined): Promise<Fault[]> {
	const { faults = [] } = (await watch?.finish()) ?? {};
	return faults.filter(({ side, code }) => side !== null || REACHED_FAULTS.includes(code));
}

/** Returns the faults of `reached` and then those of `broke`, except for those of a side that was reached for: they are not its own. */
export function withoutVictims(reached: readonly Fault[], broke: readonly Fault[]): Fault[] {
	const culprits = reached.flatMap(({ side }) => side ?? []);
	return [...reached, ...broke.filter(({ side }) => culprits.length === 0 || side === null || culprits.includes(side))];
}

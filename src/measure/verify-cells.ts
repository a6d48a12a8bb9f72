import type { Plan } from '../types/plan.ts';
import type { RefusedCell } from '../types/result.ts';
import type { Laboratory } from './laboratory.ts';

/** Asks every cell of the plan on both sides before any load, one server after the other; returns the cells that fail. */
export async function verifyCells(plan: Plan, laboratory: Laboratory): Promise<RefusedCell[]> {
	const refused: RefusedCell[] = [];
	for (const server of new Set(plan.cells.map((cell) => cell.server))) {
		refused.push(
			...(await laboratory.verify(
				server,
				plan.cells.filter((cell) => cell.server === server),
			)),
		);
	}
	return refused;
}

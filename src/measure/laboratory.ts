import type { Cell, Plan, RoundPlan } from '../types/plan.ts';
import type { RefusedCell } from '../types/result.ts';
import type { Round } from '../types/round.ts';
import type { Warning } from '../types/units.ts';

/**
 * The seam behind which processes and load live. The real one starts servers; a scripted one returns numbers, so that the
 * whole pipeline runs in milliseconds in tests.
 */
export interface Laboratory {
	/** Asks every cell of one server on both sides, in full and without load; returns the cells that must not be loaded. */
	verify(server: string, cells: readonly Cell[]): Promise<RefusedCell[]>;
	/** Runs one round and returns its windows. A broken server becomes a fault of the cell, not an error. */
	runRound(plan: RoundPlan): Promise<Round>;
	/** What was noticed about processes and machine so far, for the report. */
	warnings(): readonly Warning[];
}

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

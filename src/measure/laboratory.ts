import type { Cell, Plan, RoundPlan } from '../types/plan.ts';
import type { RefusedCell } from '../types/result.ts';
import type { Round } from '../types/round.ts';
import type { Warning } from '../types/units.ts';

/**
 * The seam between the pipeline and processes under load. With a scripted laboratory tests run the whole pipeline in
 * milliseconds.
 */
export interface Laboratory {
	/** Checks cells without load; returns those that must not be loaded. */
	verify(server: string, cells: readonly Cell[]): Promise<RefusedCell[]>;
	/** A broken server becomes a fault of its cell, not an error. */
	runRound(plan: RoundPlan): Promise<Round>;
	warnings(): readonly Warning[];
}

/** Checks every cell before any load, one server after the other; returns the cells that fail. */
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

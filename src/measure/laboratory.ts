import type { CellCoverage } from '../types/coverage.ts';
import type { Cell, Plan, RoundPlan } from '../types/plan.ts';
import type { RefusedCell } from '../types/result.ts';
import type { Round } from '../types/round.ts';
import type { Warning } from '../types/units.ts';
import type { CoverExtent } from './probe/cover-cell.ts';

/** Called before a cell is loaded. */
export type OnCell = (cell: string) => void;

/** Between the pipeline and processes under load. */
export interface Laboratory {
	/** Checks cells without load; returns those that must not be loaded. */
	verify(server: string, cells: readonly Cell[]): Promise<RefusedCell[]>;
	/** If a server breaks, its cell gets a fault; no error is thrown. */
	runRound(plan: RoundPlan, onCell?: OnCell): Promise<Round>;
	warnings(): readonly Warning[];
}

export interface CoveringLaboratory extends Laboratory {
	/** Starts base alone, loads it, and returns the code it ran. Call it while nothing is measured. */
	cover(cell: Cell, extent: CoverExtent): Promise<CellCoverage>;
}

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

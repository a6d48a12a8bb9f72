import type { CellCoverage, Unseen } from '../types/coverage.ts';
import type { SideCount } from '../types/explain/counts.ts';
import type { Cell, Plan, RoundPlan } from '../types/plan.ts';
import type { RefusedCell } from '../types/result.ts';
import type { Round } from '../types/round.ts';
import type { Side, Sides, Warning } from '../types/units.ts';
import type { CoverExtent } from './probe/cover-cell.ts';
import type { MeasuredProfiles, ProfileOrder } from './probe/profile-round.ts';

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

/** Call its methods while nothing is measured. */
export interface CoveringLaboratory extends Laboratory {
	/** Starts a side (base) alone, loads it, and returns the code it ran. */
	cover(cell: Cell, extent: CoverExtent, side?: Side): Promise<CellCoverage>;
	/** Counts the work of some requests on both sides, once, with fresh processes. */
	count(cell: Cell): Promise<Sides<SideCount>>;
	profile(cell: Cell, order: ProfileOrder): Promise<MeasuredProfiles | Unseen>;
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

import type { Tree } from '../../impact/trees.ts';
import type { CoveringLaboratory } from '../../measure/laboratory.ts';
import type { ExplainedRow, StepKind, UnexplainedRow } from '../../types/explain.ts';
import type { Cell } from '../../types/plan.ts';
import type { Prepared } from '../../types/prepared.ts';
import type { Seconds, Sides } from '../../types/units.ts';
import type { IsolatedPair } from '../verify-pair.ts';

/** An open pair after its verdict. Nothing is measured meanwhile. */
export interface Open {
	readonly pair: IsolatedPair;
	readonly prepared: Prepared;
	readonly laboratory: CoveringLaboratory;
	/** Returns a server's installed files. Keeps those of one server, because they can be large. */
	trees(server: string): Promise<Sides<Tree>>;
}

export interface RowToExplain {
	readonly row: UnexplainedRow;
	readonly cell: Cell;
	readonly sofar: ExplainedRow;
}

export interface Step {
	readonly kind: StepKind;
	/** With less time left it is not begun. */
	readonly leastSeconds: Seconds;
	run(row: RowToExplain, open: Open, secondsLeft: () => Seconds): Promise<Partial<ExplainedRow>>;
}

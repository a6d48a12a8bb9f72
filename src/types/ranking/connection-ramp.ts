import type { StepFigures } from './load-figures.ts';

/** What a server answers with growing numbers of connections. */
export interface Ramp {
	readonly server: string;
	/** Without the number of connections. */
	readonly scenario: string;
	/** Ascending by `connections`. */
	readonly steps: readonly StepFigures[];
	/** Connections from which on more bring no more than 5 %; null when it was still rising at the last step. */
	readonly saturation: number | null;
}

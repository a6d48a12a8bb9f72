import type { Design } from '../../src/types/config.ts';
import type { Timing } from '../../src/types/plan.ts';
import type { Effect, Experiment } from '../series.ts';

/** One series to measure. */
export interface Item {
	readonly id: string;
	readonly experiment: Experiment;
	/**
	 * Built-in server of both sides, or several separated by commas; with a `servers` effect the one that names the
	 * cells.
	 */
	readonly server: string;
	readonly scenarios: readonly string[];
	readonly effect: Effect;
	/** Server whose pair is measured at the same time, on the same CPUs. */
	readonly beside?: string;
	/** Take turns, round by round. */
	readonly designs: readonly Design[];
	/** Rounds of each design. */
	readonly rounds: number;
	/** Limits of a live run where they differ from the defaults, as flags. */
	readonly limits?: { readonly threshold: string; readonly budget: string };
	/** Differences from the timing of a comparison. */
	readonly timing: Partial<Timing>;
	readonly seed: number;
}

import type { FormatName } from '../../report/formats.ts';
import type { Failure } from '../../types/action-run.ts';

/** Result of a mode. Modes write nothing themselves: `sayOutcome` does, and the step fails last. */
export interface ModeOutcome {
	readonly summary: string | null;
	readonly outputs: Readonly<Record<string, string>>;
	readonly files: Readonly<Partial<Record<FormatName, string>>> | null;
	readonly log: string | null;
	readonly failure: Failure | null;
	/** Annotations of the job. */
	readonly notices: readonly string[];
	/** Why the step fails. */
	readonly fail: readonly string[];
	/** Exit code 130: not green, and not a side's fault. */
	readonly cutOff: boolean;
}

export const SILENT: ModeOutcome = {
	summary: null,
	outputs: {},
	files: null,
	log: null,
	failure: null,
	notices: [],
	fail: [],
	cutOff: false,
};

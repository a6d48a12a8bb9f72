import type { FormatName } from '../../report/formats.ts';
import type { Failure } from '../../types/action-run.ts';

/** Result of a mode. Modes write nothing themselves: `sayOutcome` does, and the step fails last. */
export interface ModeOutcome {
	readonly summary: string | null;
	readonly outputs: Readonly<Record<string, string>>;
	readonly files: Readonly<Partial<Record<FormatName, string>>> | null;
	readonly log: string | null;
	readonly failure: Failure | null;
	readonly notices: readonly string[];
	readonly fail: readonly string[];
	/** The exit code is 130: the step is not green, but neither side is at fault. */
	readonly cutOff: boolean;
	/** Adds to what was said, when everything is said. Replaces the summary. */
	readonly later: (() => Promise<Later | null>) | null;
}

export type Later = Pick<ModeOutcome, 'summary' | 'files' | 'log'>;

export const SILENT: ModeOutcome = {
	summary: null,
	outputs: {},
	files: null,
	log: null,
	failure: null,
	notices: [],
	fail: [],
	cutOff: false,
	later: null,
};

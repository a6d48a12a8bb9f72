import type { FormatName } from '../../report/formats.ts';
import type { Failure } from '../../types/action-run.ts';

/** What a mode came to. A mode says none of it itself: `sayOutcome` does, in one order for all, and the step fails last. */
export interface ModeOutcome {
	/** Markdown for the job's summary; null for none. */
	readonly summary: string | null;
	readonly outputs: Readonly<Record<string, string>>;
	/** Paths of the files it wrote, for the outputs that name them; null for a mode that writes none. */
	readonly files: Readonly<Partial<Record<FormatName, string>>> | null;
	/** A report, or a line, for the job's log; null for none. */
	readonly log: string | null;
	/** Why there is no result; null when there is one. */
	readonly failure: Failure | null;
	/** One line each, shown as annotations of the job. */
	readonly notices: readonly string[];
	/** Why the step fails, one line each; empty when it does not. */
	readonly fail: readonly string[];
	/** Whether it was cut off: the step ends with exit code 130, never green, and nothing is to blame for it. */
	readonly cutOff: boolean;
}

/** Nothing to say: what an outcome has where it does not say otherwise. */
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

import type { GitHub } from '../../github/github-client.ts';
import type { Conclusion, GateMode, MeasuredRun } from '../../types/action-run.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import type { Warning } from '../../types/units.ts';
import type { ActionSession, Place } from '../action-session.ts';

/** What publishing somebody else's result takes of a session. */
export type ReportSession = Pick<ActionSession, 'inputs' | 'runner'> & { readonly github: GitHub };

/** Where a report belongs: identity of the trusted event and the API, nothing of it from an artifact. */
export interface ReportPlace extends Place {
	readonly measured: MeasuredRun;
}

/** What to say of a measuring run, under one comment key. */
export interface ReceivedReport {
	readonly key: string;
	readonly conclusion: Conclusion;
	readonly gate: GateMode;
	/** As `Rules` have it. */
	readonly advisoryUntil?: string | undefined;
	readonly onInconclusive: InconclusivePolicy;
	readonly warnings: readonly Warning[];
	/** What could not be verified, in whole sentences: with any of it nothing is concluded as success. */
	readonly doubts: readonly string[];
}

import type { GateMode, Repository } from '../../types/action-run.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import type { Warning } from '../../types/units.ts';
import type { Place } from '../compare/audience.ts';

/**
 * What comment, summary and check say beyond the conclusion. Identity (`headSha`, `runUrl`, `serverUrl`, `repository`) comes from
 * a trusted event, never from an artifact; everything else may be hostile and is escaped.
 */
export interface CommentContext {
	/** Commit the words are about. */
	readonly headSha: string;
	/** Page of the run that measured. */
	readonly runUrl: string;
	readonly serverUrl: string;
	readonly repository: Repository;
	readonly gate: GateMode;
	/** What an inconclusive gate means; the result's own policy when absent. */
	readonly onInconclusive?: InconclusivePolicy;
	/** Whether the run only informs, because the base branch has no config that could hold. */
	readonly adopting?: boolean;
	/** As `Audience` has it. */
	readonly advisoryUntil?: string | undefined;
	/** What the reporting job could not verify, in whole sentences: green is neutral then. */
	readonly doubts?: readonly string[];
	/** Label that accepts a regression; null where there is no pull request to put it on. */
	readonly acceptLabel: string | null;
	/** Where a scenario is defined; absent where nobody looked. */
	readonly lineOf?: (scenario: string) => Place | null;
	/** What the run is, for the job summary: `pull request #12`, `push to main`. */
	readonly title: string;
	/** What went wrong while publishing. */
	readonly warnings: readonly Warning[];
}

import type { GateMode, Repository } from '../../types/action-run.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import type { Warning } from '../../types/units.ts';
import type { Place } from '../compare/audience.ts';

/**
 * Identity (`headSha`, `runUrl`, `serverUrl`, `repository`) comes from a trusted event, never from an artifact; all
 * else may be hostile and is escaped.
 */
export interface CommentContext {
	readonly headSha: string;
	/** Page of the measuring run. */
	readonly runUrl: string;
	readonly serverUrl: string;
	readonly repository: Repository;
	readonly gate: GateMode;
	/** Overrides the result's policy. */
	readonly onInconclusive?: InconclusivePolicy;
	/** See `Audience`. */
	readonly adopting?: boolean;
	/** See `Audience`. */
	readonly advisoryUntil?: string | undefined;
	/** Sentences on facts the reporting job could not verify; green becomes neutral. */
	readonly doubts?: readonly string[];
	/** Null without a pull request. */
	readonly acceptLabel: string | null;
	/** Absent if unknown. */
	readonly lineOf?: (scenario: string) => Place | null;
	/** For the job summary: `pull request #12`, `push to main`. */
	readonly title: string;
	/** Problems while publishing. */
	readonly warnings: readonly Warning[];
}

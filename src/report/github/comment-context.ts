import type { GateMode, Repository } from '../../types/action-run.ts';
import type { InconclusivePolicy } from '../../types/config.ts';
import type { Warning } from '../../types/units.ts';
import type { Adoption, Audience, Place, WorkflowFiles } from '../compare/audience.ts';

/**
 * The identity (`headSha`, `runUrl`, `serverUrl`, `repository`) comes from a trusted event, never from an artifact.
 * Other fields may be hostile and are escaped.
 */
export interface CommentContext {
	readonly headSha: string;
	readonly runUrl: string;
	readonly serverUrl: string;
	readonly repository: Repository;
	readonly gate: GateMode;
	/** Replaces the result's own policy. */
	readonly onInconclusive?: InconclusivePolicy;
	/** See `Audience`. */
	readonly adopting?: boolean;
	/** See `Audience`. */
	readonly advisoryUntil?: string | undefined;
	/** See `Audience`. */
	readonly answersCommand?: boolean;
	/** See `Audience`. */
	readonly outsidePulls?: boolean;
	/** Sentences on facts that the reporting job could not verify. They turn green into neutral. */
	readonly doubts?: readonly string[];
	/** Null without a pull request. */
	readonly acceptLabel: string | null;
	/** See `Audience`. */
	readonly dashboard?: string | undefined;
	readonly workflows?: WorkflowFiles;
	readonly adoption?: Adoption | undefined;
	/** Absent if unknown. */
	readonly lineOf?: (scenario: string) => Place | null;
	readonly explanation?: NonNullable<Audience['explanation']> | null;
	readonly placeOf?: NonNullable<Audience['placeOf']>;
	/** Used in the job summary: `pull request #12`, `push to main`. */
	readonly title: string;
	readonly warnings: readonly Warning[];
}

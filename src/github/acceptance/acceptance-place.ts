import type { Repository } from '../../types/action-run.ts';
import type { Warning } from '../../types/units.ts';
import type { Acceptance } from '../../types/verdict.ts';

/** Where acceptances are looked for, and the commit they must hold for. */
export interface AcceptancePlace {
	readonly repository: Repository;
	/** Of the pull request. */
	readonly number: number;
	readonly headSha: string;
	/** The label that accepts. */
	readonly label: string;
}

export interface FoundAcceptances {
	/** In the order in which they are preferred. */
	readonly acceptances: readonly Acceptance[];
	/** Acceptances that do not count: whose, and why. */
	readonly warnings: readonly Warning[];
}

/** What is read of a pull request as it is now. */
export interface PullState {
	readonly body: string;
	readonly author: string | null;
	readonly labels: readonly string[];
	readonly createdAt: string;
	readonly headRef: string;
	/** `owner/name`; null when it is gone. */
	readonly headRepository: string | null;
}

/** Whether a thing is fine, worth knowing, or in the way of a run. */
export type FindingKind = 'ok' | 'note' | 'problem';

/** What a check found out about one thing. Its texts may hold words of the code under test. */
export interface Finding {
	readonly kind: FindingKind;
	/** What was looked at: `config`, `head`, `answers`, `workflows`, `machine`. */
	readonly about: string;
	/** One sentence, without a full stop. */
	readonly text: string;
	/** What to do about it, without a full stop. */
	readonly remedy?: string;
	/** Last lines of a log. */
	readonly details?: string;
	/** Exit code that a problem ends with. */
	readonly exitCode?: number;
}

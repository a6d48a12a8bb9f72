/** A `problem` prevents a run. */
export type FindingKind = 'ok' | 'note' | 'problem';

/** One result of a check. May contain text of the code under test. */
export interface Finding {
	readonly kind: FindingKind;
	/** Subject: `config`, `head`, `answers`, `workflows`, `machine`. */
	readonly about: string;
	/** One sentence, without a full stop. */
	readonly text: string;
	/** Without a full stop. */
	readonly remedy?: string;
	/** Last lines of a log. */
	readonly details?: string;
	/** Present only for a problem. */
	readonly exitCode?: number;
}

import type { GateOutcome, Verdict } from '../../types/verdict.ts';

/** Different shapes, because colour must not be the only sign. */
export const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
	regressed: '✗',
	improved: '▲',
	unchanged: '✓',
	inconclusive: '?',
	invalid: '!',
	new: '+',
	removed: '∅',
	'same-code': '=',
};

/** For Markdown, where characters have no colour. */
export const VERDICT_EMOJI: Readonly<Record<Verdict, string>> = {
	regressed: '❌',
	improved: '🔼',
	unchanged: '✅',
	inconclusive: '🟡',
	invalid: '⚠️',
	new: '➕',
	removed: '🗑️',
	'same-code': '⏸️',
};

/** The gate's outcome, or a failure that does not count as one. */
export type Standing = GateOutcome | 'accepted' | 'advisory';

export const STANDING_EMOJI: Readonly<Record<Standing, string>> = {
	pass: '✅',
	fail: '❌',
	inconclusive: '🟡',
	error: '⚠️',
	accepted: '☑️',
	advisory: '⚠️',
};

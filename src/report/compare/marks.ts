import type { GateOutcome, Verdict } from '../../types/verdict.ts';

/** Shapes differ, so colour is not the only sign. */
export const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
	regressed: '✗',
	improved: '▲',
	unchanged: '✓',
	inconclusive: '?',
	invalid: '!',
	new: '+',
	removed: '∅',
	'same-code': '=',
	unaffected: '≡',
};

/** For Markdown, which cannot colour characters. */
export const VERDICT_EMOJI: Readonly<Record<Verdict, string>> = {
	regressed: '❌',
	improved: '🔼',
	unchanged: '✅',
	inconclusive: '🟡',
	invalid: '⚠️',
	new: '➕',
	removed: '🗑️',
	'same-code': '⏸️',
	unaffected: '⏸️',
};

/** The gate's outcome, or a failure that does not count as a failure. */
export type Standing = GateOutcome | 'accepted' | 'advisory';

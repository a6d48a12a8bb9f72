import type { GateOutcome, Verdict } from '../../types/verdict.ts';

/** One character per verdict, each of another shape, so that colour is never the only sign. */
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

/** The same for Markdown, where characters have no colour of their own. */
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

/** Where a result stands for its reader: the gate's outcome, or a failure that does not count as one. */
export type Standing = GateOutcome | 'accepted' | 'advisory';

export const STANDING_EMOJI: Readonly<Record<Standing, string>> = {
	pass: '✅',
	fail: '❌',
	inconclusive: '🟡',
	error: '⚠️',
	accepted: '☑️',
	advisory: '⚠️',
};

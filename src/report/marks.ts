import type { GateOutcome, Verdict } from '../types/verdict.ts';

/** One character per verdict, each of another shape, so that colour is never the only sign. */
export const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
	regressed: '✗',
	improved: '▲',
	unchanged: '✓',
	inconclusive: '?',
	invalid: '!',
	new: '+',
	removed: '−',
};

/** The same for Markdown, where characters have no colour of their own. */
export const VERDICT_EMOJI: Readonly<Record<Verdict, string>> = {
	regressed: '❌',
	improved: '🔼',
	unchanged: '✅',
	inconclusive: '❔',
	invalid: '⚠️',
	new: '➕',
	removed: '➖',
};

export const OUTCOME_EMOJI: Readonly<Record<GateOutcome, string>> = {
	pass: '✅',
	fail: '❌',
	inconclusive: '❔',
	error: '⚠️',
};

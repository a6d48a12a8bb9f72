import type { Result } from '../types/result.ts';
import { plainText } from './escape.ts';
import { countOf, formatDuration, formatPercent } from './numbers.ts';
import { type Phrase, phrase } from './phrase.ts';
import { nounOf, type Row } from './rows.ts';

/** Beyond this many times the budget, or the threshold, more of it is no advice. */
const MOST_TIMES_BUDGET = 10;
const MOST_TIMES_THRESHOLD = 5;
/** Longest quote of a fault in a headline; the footnote has the rest. */
const QUOTE_LIMIT = 160;

const THRESHOLD = { code: 'threshold' };
const BUDGET = { code: 'budget' };

/** Returns what to do about invalid rows: the first offending answer, quoted. */
export function adviseInvalid(rows: readonly Row[]): readonly Phrase[] {
	const invalid = rows.filter((row) => row.verdict === 'invalid');
	const [first] = invalid;
	if (!first) return [];
	const quote = plainText(first.cell.warnings[0]?.message ?? 'see the notes', QUOTE_LIMIT);
	const end = /[.!?…]$/.test(quote) ? '' : '.';
	const others = invalid.length - 1;
	const more = others > 0 ? ` ${countOf(others, `more ${nounOf(rows)}`)} ${others === 1 ? 'is' : 'are'} invalid.` : '';
	return [phrase`Mend ${nameOf(first)}, whose numbers mean nothing: ${{ text: quote }}${end}${more}`];
}

/**
 * Returns what would decide the inconclusive rows: the smallest threshold this run could have decided for all of them, or the
 * budget that could (the spread of an estimate falls with the square root of the rounds, so the budget grows with its square).
 */
export function adviseInconclusive(result: Result, rows: readonly Row[]): readonly Phrase[] {
	const open = rows.filter((row) => row.verdict === 'inconclusive');
	const [first] = open;
	if (!first) return [];
	if (result.ended === 'interrupted') return [phrase`Let it run to its end to decide the rest.`];
	const known = open.filter((row) => row.cell.smallestDecidableThreshold !== null);
	const now = `(now ${formatDuration(result.budget)})`;
	if (known.length < open.length) return [phrase`Give a larger ${BUDGET} ${now}: there were too few rounds to decide.`];
	const ratio = Math.max(...known.map(({ cell }) => (cell.smallestDecidableThreshold ?? 0) / cell.threshold));
	const which: Phrase = open.length === 1 ? [nameOf(first)] : [`the ${open.length} inconclusive ${nounOf(rows)}s`];
	if (ratio <= 1) {
		return [
			phrase`The rounds of ${which} agree well enough, but the change lies too near the limits: more rounds (a larger ${BUDGET}, ${now}) or another ${THRESHOLD} would decide.`,
		];
	}
	if (ratio > MOST_TIMES_THRESHOLD) {
		return [
			phrase`The rounds of ${which} differ too much for any sensible ${THRESHOLD} or ${BUDGET}: use a quieter machine.`,
		];
	}
	const needed = Math.max(...known.map(({ cell }) => cell.smallestDecidableThreshold ?? 0));
	const start = phrase`To decide ${which}, a ${THRESHOLD} of ${formatPercent(Math.ceil(needed * 1000) / 1000)} would do`;
	if (ratio ** 2 > MOST_TIMES_BUDGET) return [phrase`${start}; a larger ${BUDGET} alone would not.`];
	const budget = formatDuration(Math.ceil((result.budget * ratio ** 2) / 60) * 60);
	return [phrase`${start}, or about ${budget} of ${BUDGET} ${now}.`];
}

function nameOf(row: Row): { readonly code: string } {
	return { code: `${row.server}/${row.scenario}` };
}

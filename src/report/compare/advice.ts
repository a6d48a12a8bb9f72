import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatDuration, formatPercent } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { GateMode } from '../../types/action-run.ts';
import type { Result } from '../../types/result.ts';
import { nounOf, type Row } from './rows.ts';

/** Beyond this many times the budget, or the threshold, more of it is no advice. */
const MOST_TIMES_BUDGET = 10;
const MOST_TIMES_THRESHOLD = 5;
/** Longest quote of a fault in a headline; the footnote has the rest. */
const QUOTE_LIMIT = 160;

const THRESHOLD = { code: 'threshold' };
const BUDGET = { code: 'budget' };
/** What a pull request's description says to accept a regression. */
const ACCEPT_LINE = { code: 'benchgate: accepted REASON' };

/** What a report knows of its readers beyond the result; nothing on the command line. */
export interface Audience {
	/** Whether a failed gate turns the check red; `enforce` unless told. */
	readonly gate?: GateMode;
	/** Label that accepts a regression; absent or null where there is no pull request to put it on. */
	readonly acceptLabel?: string | null;
}

/** Returns what to do about regressed rows, or who accepted them and why. */
export function adviseRegressed(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const regressed = rows.filter((row) => row.verdict === 'regressed');
	if (regressed.length === 0) return [];
	const { accepted } = result.gate;
	if (accepted) {
		const by = { code: plainText(accepted.by, NAME_LIMIT) };
		const how = accepted.via === 'label' ? 'with a label' : 'in the description';
		const reason = plainText(accepted.reason ?? '', MESSAGE_LIMIT);
		const why = reason === '' ? phrase`, without a reason.` : phrase`: “${{ text: reason }}”.`;
		return [phrase`${by} accepted this ${how}${why}`];
	}
	if (audience.acceptLabel) {
		const label = { code: plainText(audience.acceptLabel, NAME_LIMIT) };
		return [
			phrase`Find the cause with the command below. If the drop is intended, somebody with write access can accept it: with the label ${label}, or with a line ${ACCEPT_LINE} in the description.`,
		];
	}
	const which = regressed.length === 1 ? 'this scenario' : 'these scenarios';
	return [
		phrase`Find the cause with the command below; if the drop is intended, raise ${THRESHOLD} of ${which} on the base branch.`,
	];
}

/** Returns what the outcome means for the check where that is not plain: the policy for open rows, a gate that is advisory. */
export function tellGate({ gate, onInconclusive }: Result, audience: Audience): readonly Phrase[] {
	const means = { pass: 'counts as passed', fail: 'counts as failed', neutral: 'neither passes nor fails' };
	const policy = phrase`By ${{ code: `on-inconclusive: ${onInconclusive}` }} this ${means[onInconclusive]}.`;
	const open = gate.outcome === 'inconclusive';
	const harmless = gate.outcome === 'pass' || (open && onInconclusive !== 'fail');
	const advisory = phrase`The gate is advisory, so nothing is blocked.`;
	return [...(open ? [policy] : []), ...(audience.gate === 'advisory' && !harmless ? [advisory] : [])];
}

/** Returns what to do about invalid rows: the first offending answer, quoted. */
export function adviseInvalid(rows: readonly Row[]): readonly Phrase[] {
	const invalid = rows.filter((row) => row.verdict === 'invalid');
	const [first] = invalid;
	if (!first) return [];
	const quote = plainText(first.cell.warnings[0]?.message ?? 'see the notes', QUOTE_LIMIT);
	const end = /[.!?…]$/.test(quote) ? '' : '.';
	const others = invalid.length - 1;
	const more = others > 0 ? ` ${countOf(others, `more ${nounOf(rows)}`)} ${others === 1 ? 'is' : 'are'} invalid.` : '';
	return [phrase`Mend ${nameOf(first)}, which is invalid: ${{ text: quote }}${end}${more}`];
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
			phrase`The rounds of ${which} agree well enough, but the change lies too near the limits: more rounds (a larger ${BUDGET}, now ${formatDuration(result.budget)}) or another ${THRESHOLD} would decide.`,
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

import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatCount, formatDuration, formatPercent } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { GateMode } from '../../types/action-run.ts';
import type { Result } from '../../types/result.ts';
import { nameOf, nounOf, type Row } from './rows.ts';

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
		const why = reason === '' ? phrase` and gave no reason.` : phrase`: “${{ text: reason }}”.`;
		return [phrase`${by} accepted this ${how}${why} The check passes.`];
	}
	const reproduce = 'To reproduce it, run the command below.';
	if (audience.acceptLabel) {
		const label = { code: plainText(audience.acceptLabel, NAME_LIMIT) };
		return [
			phrase`${reproduce} If the drop is intended, someone with write access can accept it: add the label ${label}, or the line ${ACCEPT_LINE} to the description.`,
		];
	}
	const which = regressed.length === 1 ? `this ${nounOf(rows)}` : `these ${nounOf(rows)}s`;
	return [
		phrase`${reproduce} If the drop is intended, raise ${THRESHOLD} for ${which} in the config of the base branch.`,
	];
}

/** Returns what the outcome means for the check where that is not plain: the policy for open rows, a gate that is advisory. */
export function tellGate({ gate, onInconclusive }: Result, audience: Audience): readonly Phrase[] {
	const means = {
		pass: 'The run still passes',
		fail: 'So the run fails',
		neutral: 'The check is neutral and blocks nothing',
	};
	const policy = phrase`${means[onInconclusive]} (${{ code: `on-inconclusive: ${onInconclusive}` }}).`;
	const open = gate.outcome === 'inconclusive';
	const harmless = gate.outcome === 'pass' || (open && onInconclusive !== 'fail');
	const advisory = phrase`Nothing is blocked (${{ code: 'gate: advisory' }}).`;
	return [...(open ? [policy] : []), ...(audience.gate === 'advisory' && !harmless ? [advisory] : [])];
}

/** Returns what to do about invalid rows: the first fault, quoted unless it was `told` already. */
export function adviseInvalid(rows: readonly Row[], told: boolean): readonly Phrase[] {
	const invalid = rows.filter((row) => row.verdict === 'invalid');
	const [first] = invalid;
	if (!first) return [];
	const alike = new Set(invalid.map((row) => row.cell.warnings[0]?.message)).size === 1;
	if (told && alike) return [['Fix this and run again.']];
	const others = invalid.length - 1;
	const more = others > 0 ? ` The notes have the other ${others === 1 ? 'one' : formatCount(others)}.` : '';
	return [phrase`${nameOf(first)} could not be measured: ${quoteFault(first)} Fix this and run again.${more}`];
}

/** Returns why a row is invalid as a sentence: its first fault, cut to a length for headlines. */
export function quoteFault(row: Row): Phrase {
	const quote = plainText(row.cell.warnings[0]?.message ?? 'see the notes', QUOTE_LIMIT);
	return [{ text: quote }, /[.!?…]$/.test(quote) ? '' : '.'];
}

/**
 * Returns what would decide the inconclusive rows: the smallest threshold this run could have decided for all of them, or the
 * budget that could (the spread of an estimate falls with the square root of the rounds, so the budget grows with its square).
 */
export function adviseInconclusive(result: Result, rows: readonly Row[]): readonly Phrase[] {
	const open = rows.filter((row) => row.verdict === 'inconclusive');
	const [first] = open;
	if (!first) return [];
	if (result.ended === 'interrupted') return [phrase`Let it run to the end to decide the rest.`];
	const known = open.filter((row) => row.cell.smallestDecidableThreshold !== null);
	const now = `(now ${formatDuration(result.budget)})`;
	if (known.length < open.length) return [phrase`There were too few rounds to decide: use a larger ${BUDGET} ${now}.`];
	const ratio = Math.max(...known.map(({ cell }) => (cell.smallestDecidableThreshold ?? 0) / cell.threshold));
	const one = open.length === 1;
	const which: Phrase = one ? [nameOf(first)] : [`The ${open.length} undecided ${nounOf(rows)}s`];
	const limits = new Set(open.map(({ cell }) => cell.threshold));
	const at = limits.size === 1 ? formatPercent(first.cell.threshold) : one ? 'its limit' : 'their limits';
	if (ratio <= 1) {
		return [
			phrase`${which} ${one ? 'is' : 'are'} too close to ${at} to decide: use a larger ${BUDGET} ${now}, or another ${THRESHOLD}.`,
		];
	}
	const noisy = phrase`${which} ${one ? 'is' : 'are'} too noisy to decide at ${at}`;
	if (ratio > MOST_TIMES_THRESHOLD) {
		return [phrase`${noisy}, and no sensible ${THRESHOLD} or ${BUDGET} would change that: use a quieter machine.`];
	}
	const needed = Math.max(...known.map(({ cell }) => cell.smallestDecidableThreshold ?? 0));
	const start = phrase`${noisy}. ${one ? 'It needs' : 'They need'} a ${THRESHOLD} of ${formatPercent(Math.ceil(needed * 1000) / 1000)}`;
	if (ratio ** 2 > MOST_TIMES_BUDGET) return [phrase`${start} or a quieter machine; a larger ${BUDGET} is not enough.`];
	const budget = formatDuration(Math.ceil((result.budget * ratio ** 2) / 60) * 60);
	return [phrase`${start}, or a ${BUDGET} of about ${budget} ${now}.`];
}

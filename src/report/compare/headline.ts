import { MESSAGE_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatCount, formatDuration, formatPercent } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import type { GateOutcome, Verdict } from '../../types/verdict.ts';
import { type Audience, adviseInconclusive, adviseInvalid, adviseRegressed, tellGate } from './advice.ts';
import type { Standing } from './marks.ts';
import { countVerdicts, nounOf, type Row } from './rows.ts';

/** What a tired maintainer reads: what happened, and what to do about it. */
export interface Headline {
	readonly outcome: GateOutcome;
	readonly standing: Standing;
	/** The standing in a word or two. */
	readonly title: string;
	/** What happened, with the change that matters most and its interval. */
	readonly summary: Phrase;
	readonly action: Phrase;
}

const TITLES: Readonly<Record<Standing, string>> = {
	pass: 'Pass',
	fail: 'Fail',
	inconclusive: 'Inconclusive',
	error: 'Error',
	accepted: 'Accepted regression',
	advisory: 'Regression, not enforced',
};

/** Returns the headline of a result whose rows are `rows` in reading order, for those who read it. */
export function writeHeadline(result: Result, rows: readonly Row[], audience: Audience = {}): Headline {
	const { outcome } = result.gate;
	const standing = standingOf(result, audience);
	const stopped = result.ended === 'interrupted' ? ['Interrupted, so this is only what was known by then. '] : [];
	return {
		outcome,
		standing,
		title: TITLES[standing],
		summary: [...stopped, ...summarise(result, rows)],
		action: joinPhrases(actions(result, rows, audience), ' '),
	};
}

function standingOf({ gate }: Result, audience: Audience): Standing {
	if (gate.accepted) return 'accepted';
	return gate.outcome === 'fail' && audience.gate === 'advisory' ? 'advisory' : gate.outcome;
}

function summarise(result: Result, rows: readonly Row[]): Phrase {
	const worst = rows.find((row) => row.verdict === 'regressed');
	if (result.gate.outcome === 'error') return phrase`${firstReason(result)}`;
	if (worst) {
		const others = tally(rows, worst);
		return phrase`${describeChange(worst)} is beyond the threshold of ${formatPercent(worst.cell.threshold)}${others}.`;
	}
	const best = rows.find((row) => row.verdict === 'improved');
	const told = best ? phrase`; best ${describeChange(best)}` : describeLowest(rows);
	return phrase`${tally(rows)}${told}.`;
}

/** What is open is what matters; beside rows without numbers, the lowest of the harmless ones would mislead. */
function describeLowest(rows: readonly Row[]): Phrase {
	const open = rows.filter((row) => row.verdict === 'inconclusive');
	if (open.length === 0 && rows.some((row) => row.verdict === 'invalid')) return [];
	const measured = (open.length > 0 ? open : rows).filter((row) => row.span !== null);
	const lowest = measured.toSorted((a, b) => (a.span?.mid ?? 0) - (b.span?.mid ?? 0))[0];
	return lowest ? phrase`; worst ${describeChange(lowest)}` : [];
}

/**
 * Returns how many rows have which verdict: `1 of 12 cells improved, 11 unchanged`, `All 12 cells are unchanged`; leaving out
 * the row `but`, what is left: `; of 11 other cells 1 improved, 10 unchanged`.
 */
export function tally(rows: readonly Row[], but?: Row): string {
	const counted = rows.filter((row) => row !== but);
	const noun = nounOf(rows);
	if (but && counted.length === 0) return '';
	const counts = countVerdicts(counted);
	const [only] = counts;
	if (counts.length === 1 && only) {
		const [verdict, count] = only;
		if (!but) return `${count === 1 ? `The only ${noun}` : `All ${countOf(count, noun)}`} ${predicate(verdict, count)}`;
		const others = count === 1 ? `the other ${noun}` : `the other ${countOf(count, noun)}`;
		return `; ${others} ${predicate(verdict, count)}${verdict === but.verdict ? ' too' : ''}`;
	}
	const list = (some: typeof counts): string =>
		some.map(([verdict, count]) => `${formatCount(count)} ${verdict}`).join(', ');
	if (but) return `; of ${countOf(counted.length, `other ${noun}`)} ${list(counts)}`;
	if (!only) return `No ${noun}s`;
	const [verdict, count] = only;
	return `${formatCount(count)} of ${countOf(counted.length, noun)} ${predicate(verdict, count)}, ${list(counts.slice(1))}`;
}

/** `regressed` and `improved` are something a cell did, the other verdicts something it is. */
function predicate(verdict: Verdict, count: number): string {
	if (verdict === 'regressed' || verdict === 'improved') return verdict;
	return `${count === 1 ? 'is' : 'are'} ${verdict}`;
}

/** `server/scenario` throughput −6.1 % [−8.2 … −3.9]. */
function describeChange(row: Row): Phrase {
	return phrase`${nameOf(row)} ${row.metric} ${{ strong: row.change }} ${row.interval}`;
}

function nameOf(row: Row): { readonly code: string } {
	return { code: `${row.server}/${row.scenario}` };
}

function firstReason(result: Result): { readonly text: string } {
	const reason = result.gate.reasons[0] ?? 'Nothing could be measured.';
	return { text: plainText(reason, MESSAGE_LIMIT) };
}

function actions(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const advice = [
		...adviseRegressed(result, rows, audience),
		...adviseInvalid(rows),
		...adviseInconclusive(result, rows),
	];
	if (result.gate.outcome === 'error' && advice.length === 0) {
		advice.push(phrase`Read the notes, mend what they name, and run again.`);
	}
	advice.push(...tellGate(result, audience));
	if (advice.length > 0) return advice;
	const spent = formatDuration(result.timing.totalSeconds);
	return [phrase`Nothing to do. (${spent}, ${countOf(result.timing.roundsRun, 'round')})`];
}

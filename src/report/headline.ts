import type { Result } from '../types/result.ts';
import type { GateOutcome, Verdict } from '../types/verdict.ts';
import { adviseInconclusive, adviseInvalid } from './advice.ts';
import { MESSAGE_LIMIT, plainText } from './escape.ts';
import { countOf, formatCount, formatDuration, formatPercent } from './numbers.ts';
import { joinPhrases, type Phrase, phrase } from './phrase.ts';
import { countVerdicts, nounOf, type Row } from './rows.ts';

/** What a tired maintainer reads: what happened, and what to do about it. */
export interface Headline {
	readonly outcome: GateOutcome;
	/** One word: Pass, Fail, Inconclusive, Error. */
	readonly title: string;
	/** What happened, with the change that matters most and its interval. */
	readonly summary: Phrase;
	readonly action: Phrase;
}

const TITLES: Readonly<Record<GateOutcome, string>> = {
	pass: 'Pass',
	fail: 'Fail',
	inconclusive: 'Inconclusive',
	error: 'Error',
};

/** Returns the headline of a result whose rows are `rows` in reading order. */
export function writeHeadline(result: Result, rows: readonly Row[]): Headline {
	const { outcome } = result.gate;
	const stopped = result.ended === 'interrupted' ? ['Interrupted, so this is only what was known by then. '] : [];
	return {
		outcome,
		title: TITLES[outcome],
		summary: [...stopped, ...summarise(result, rows)],
		action: joinPhrases(actions(result, rows), ' '),
	};
}

function summarise(result: Result, rows: readonly Row[]): Phrase {
	const compared = rows.filter((row) => row.span !== null);
	const worst = rows.find((row) => row.verdict === 'regressed');
	if (result.gate.outcome === 'error') return phrase`${firstReason(result)}`;
	if (worst) {
		const others = tally(rows, worst);
		return phrase`${describeChange(worst)} is beyond the threshold of ${formatPercent(worst.cell.threshold)}${others}.`;
	}
	const most = compared.toSorted((a, b) => (a.span?.mid ?? 0) - (b.span?.mid ?? 0))[0];
	const best = rows.find((row) => row.verdict === 'improved');
	const told = best ? phrase`; best ${describeChange(best)}` : most ? phrase`; worst ${describeChange(most)}` : [];
	return phrase`${tally(rows)}${told}.`;
}

/** `12 cells: 1 improved, 11 unchanged`, or without `but` what is left: `; of 11 other cells 1 improved, 10 unchanged`. */
function tally(rows: readonly Row[], but?: Row): string {
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
	const list = counts.map(([verdict, count]) => `${formatCount(count)} ${verdict}`).join(', ');
	return but ? `; of ${countOf(counted.length, `other ${noun}`)} ${list}` : `${countOf(counted.length, noun)}: ${list}`;
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

function actions(result: Result, rows: readonly Row[]): readonly Phrase[] {
	const regressed = rows.filter((row) => row.verdict === 'regressed');
	const advice: Phrase[] = [];
	if (regressed.length > 0) {
		advice.push(
			phrase`Find the cause with the command below; if the drop is intended, raise ${{ code: 'threshold' }} of ${
				regressed.length === 1 ? 'this scenario' : 'these scenarios'
			} on the base branch.`,
		);
	}
	advice.push(...adviseInvalid(rows));
	advice.push(...adviseInconclusive(result, rows));
	if (result.gate.outcome === 'inconclusive') advice.push(tellPolicy(result));
	if (result.gate.outcome === 'error' && advice.length === 0) {
		advice.push(phrase`Read the notes, mend what they name, and run again.`);
	}
	if (advice.length > 0) return advice;
	const spent = formatDuration(result.timing.totalSeconds);
	return [phrase`Nothing to do. (${spent}, ${countOf(result.timing.roundsRun, 'round')})`];
}

function tellPolicy({ onInconclusive }: Result): Phrase {
	const means = { pass: 'counts as passed', fail: 'counts as failed', neutral: 'neither passes nor fails' };
	return phrase`By ${{ code: `on-inconclusive: ${onInconclusive}` }} this ${means[onInconclusive]}.`;
}

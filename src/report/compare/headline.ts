import { redKindOf } from '../../judge/gate-row.ts';
import { formatChange, formatPercent, formatRange } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import type { GateOutcome } from '../../types/verdict.ts';
import { isAccepted, passesAccepted } from './acceptance-words.ts';
import { adviseInconclusive, adviseInvalid, adviseRed, adviseUnexercised, quoteFault, wholeQuote } from './advice.ts';
import type { Audience } from './audience.ts';
import { describeEffect, type Effect } from './effect.ts';
import { describeBlame, describeFaults, faultKindOf } from './fault-words.ts';
import type { Standing } from './marks.ts';
import { formatLimit, isCompared, metricWord, nameOf, type Row } from './rows.ts';
import { tally, tallyOthers } from './tally.ts';
import { adviseAdoption } from './workflow-words.ts';

export interface Headline {
	readonly outcome: GateOutcome;
	readonly standing: Standing;
	readonly title: string;
	/** Contains the most important change with its interval and limit. */
	readonly summary: Phrase;
	readonly effect: Effect;
	readonly next: Phrase | null;
}

const TITLES: Readonly<Record<Standing, string>> = {
	pass: 'Pass',
	fail: 'Fail',
	inconclusive: 'Inconclusive',
	error: 'Error',
	accepted: 'Accepted',
	advisory: 'Regression, not enforced',
};

export const NOTHING_TO_DO = 'nothing to do.';

/** Returns the headline; `rows` in reading order. */
export function writeHeadline(result: Result, rows: readonly Row[], audience: Audience = {}): Headline {
	const { outcome } = result.gate;
	const standing = standingOf(result, audience);
	return {
		outcome,
		standing,
		title: titleOf(standing, rows),
		summary: summarise(result, rows, audience),
		effect: describeEffect(result, rows, audience),
		next: nextOf(result, rows, audience),
	};
}

/** Returns the fault that the headline quotes in full, so that no note repeats it. */
export function faultTold({ gate }: Result, rows: readonly Row[]): string | null {
	const compared = rows.filter(isCompared);
	const faults = new Set(compared.map((row) => row.cell.warnings[0]?.message));
	const [first] = compared;
	const same = faults.size === 1 && compared.length === rows.length && first?.verdict === 'invalid';
	return gate.outcome === 'error' && same && first.cell.warnings.length === 1 ? wholeQuote(first) : null;
}

function standingOf(result: Result, audience: Audience): Standing {
	const { gate } = result;
	if (passesAccepted(result)) return 'accepted';
	return gate.outcome === 'fail' && audience.gate === 'advisory' ? 'advisory' : gate.outcome;
}

/** Not every advisory failure is a slowdown. */
function titleOf(standing: Standing, rows: readonly Row[]): string {
	const slow = rows.every(({ cell }) => [null, 'regressed'].includes(redKindOf(cell)));
	return standing === 'advisory' && !slow ? 'Fail, not enforced' : TITLES[standing];
}

function summarise(result: Result, rows: readonly Row[], audience: Audience): Phrase {
	const compared = rows.filter(isCompared);
	const stopped = result.ended === 'interrupted';
	if (stopped && compared.every(({ verdict }) => verdict === 'inconclusive')) {
		return ['The run was stopped too early: nothing is known yet.'];
	}
	if (result.gate.outcome === 'error') return describeNothing(rows, compared, audience);
	if (stopped) {
		return phrase`The run was stopped early. So far: ${summariseRows(rows, compared, audience)}`;
	}
	return summariseRows(rows, compared, audience);
}

function summariseRows(rows: readonly Row[], compared: readonly Row[], audience: Audience): Phrase {
	const tallyPhrase = tally(rows, audience);
	const others = tallyOthers(rows, audience);
	const telling = tellingRow(compared, describeFaults(rows, audience).length > 0);
	if (!telling) return phrase`${tallyPhrase}.${others}`;
	const { row, intro } = telling;
	if (compared.length === 1) return phrase`${tallyPhrase}: ${describeChange(row)}.${others}`;
	const lead = intro === '' ? ': ' : `. ${intro}: `;
	return phrase`${tallyPhrase}${lead}${nameOf(row)}, ${describeChange(row)}.${others}`;
}

interface Telling {
	readonly row: Row;
	/** Introduces the row as an example. */
	readonly intro: string;
}

/** The most informative row; null if harmless numbers would distract. */
function tellingRow(rows: readonly Row[], broken: boolean): Telling | null {
	const [worst, second] = rows.filter((row) => row.verdict === 'regressed');
	if (worst) return { row: worst, intro: second ? 'Worst' : '' };
	if (broken) return null;
	const open = rows.filter((row) => row.verdict === 'inconclusive');
	const invalid = rows.some((row) => row.verdict === 'invalid');
	if (open.length > 0) {
		const row = lowestOf(open);
		return row && { row, intro: open.length > 1 ? 'Worst undecided' : 'Undecided' };
	}
	if (invalid) return null;
	const [best] = rows.filter((row) => row.verdict === 'improved');
	if (best) return { row: best, intro: 'Best' };
	const row = lowestOf(rows);
	return row && { row, intro: (row.span?.mid ?? 0) < 0 ? 'Largest slowdown' : 'Smallest gain' };
}

function lowestOf(rows: readonly Row[]): Row | null {
	const measured = rows.filter((row) => row.span !== null);
	return measured.toSorted((a, b) => (a.span?.mid ?? 0) - (b.span?.mid ?? 0))[0] ?? null;
}

/**
 * Returns `−6.1 % requests/s. The real change is between −8.2 and −3.9 % (90 % sure); allowed: −5 %`, or less if the
 * row passed.
 */
function describeChange(row: Row): Phrase {
	const { interval } = row.cell;
	const change = phrase`${{ strong: formatChange(row.cell.change) }} ${metricWord(row)}`;
	const sure = formatPercent(interval?.confidence ?? null);
	const unknown = interval === null || (interval.low === null && interval.high === null);
	if (row.verdict === 'unchanged' || row.verdict === 'improved') {
		return unknown ? change : phrase`${change} (real change: ${formatRange(interval)}, ${sure} sure)`;
	}
	const range = unknown
		? 'There were too few rounds to know the real change'
		: `The real change is between ${formatRange(interval).replace(' to ', ' and ')} (${sure} sure)`;
	return phrase`${change}. ${range}; allowed: ${formatLimit(row)}${explainLimit(row)}`;
}

/** Needed for a cost, because its limit differs from the threshold. */
function explainLimit({ cell: { judgedBy, threshold } }: Row): string {
	if (judgedBy !== 'cpu-per-request') return '';
	return `, which is as much as ${formatPercent(threshold)} fewer requests/s`;
}

/** Quotes the fault if all rows have the same one. */
function describeNothing(rows: readonly Row[], compared: readonly Row[], audience: Audience): Phrase {
	if (compared.length === 0) return phrase`${tally(rows, audience)}.`;
	const faults = new Set(compared.map((row) => row.cell.warnings[0]?.message));
	const [first] = compared;
	const same = faults.size === 1 && compared.length === rows.length && first?.verdict === 'invalid';
	if (same) return phrase`${describeBlame(compared)}: ${quoteFault(first)}`;
	const broken = describeFaults(rows, audience);
	return joinPhrases([['Nothing was measured.'], ...broken.map((each) => phrase`${each}.`)], ' ');
}

function nextOf(result: Result, rows: readonly Row[], audience: Audience): Phrase | null {
	const error = result.gate.outcome === 'error';
	const isFaultTold = faultTold(result, rows) !== null;
	const faults = rows.some((row) => ['head', 'answers', 'base', 'both'].includes(faultKindOf(row) ?? ''));
	const advice = [
		...adviseUnexercised(result),
		...adviseRed(result, rows, audience),
		...adviseInvalid(rows, audience, isFaultTold),
		...(faults && !isFaultTold && !isAccepted(result) ? [['the notes below say what went wrong.']] : []),
		...adviseInconclusive(result, rows, audience),
		...adviseAdoption(audience),
	];
	if (error && advice.length === 0 && !isAccepted(result))
		return ['read the notes, fix what they describe, and run again.'];
	if (advice.length === 0) return null;
	const [first = [], ...others] = advice;
	return [...first, ...others.flatMap((each) => [' ', ...begin(each)])];
}

function begin([first, ...otherPieces]: Phrase): Phrase {
	return typeof first === 'string'
		? [first.charAt(0).toUpperCase() + first.slice(1), ...otherPieces]
		: [first ?? '', ...otherPieces];
}

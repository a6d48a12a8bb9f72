import { gateRowOf, redKindOf } from '../../judge/gate-row.ts';
import { explainRow, labelOf } from '../../judge/row-words.ts';
import { notExercised } from '../../text/impact-words.ts';
import { formatChange, formatRange } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS } from '../../types/metric.ts';
import type { Result } from '../../types/result.ts';
import type { GateOutcome } from '../../types/verdict.ts';
import { type Accepting, adviseAccepting, isAccepted, passesAccepted, withoutAccepted } from './acceptance-words.ts';
import {
	adviseAudit,
	adviseHeaders,
	adviseInconclusive,
	adviseInvalid,
	adviseRed,
	adviseUnexercised,
	quoteFault,
	wholeQuote,
} from './advice.ts';
import { type Audience, adviseAdoption } from './audience.ts';
import { describeEffect, type Effect } from './effect.ts';
import { describeBlame, describeFaults } from './fault-words.ts';
import type { Standing } from './marks.ts';
import { isCompared, nameOf, type Row } from './rows.ts';
import { tally, tallyOthers } from './tally.ts';

export interface Headline {
	readonly outcome: GateOutcome;
	readonly standing: Standing;
	readonly title: string;
	/** Contains the most important change with its interval and limit. */
	readonly summary: Phrase;
	readonly effect: Effect | null;
	readonly next: readonly Phrase[];
	readonly accepting: Accepting | null;
}

const TITLES: Readonly<Record<Standing, string>> = {
	pass: 'Pass',
	fail: 'Fail',
	inconclusive: 'Inconclusive',
	error: 'Error',
	accepted: 'Accepted',
	advisory: 'Regression, not enforced',
};

export const NOTHING_TO_DO = 'Nothing to do.';

/** Returns the headline; `rows` in reading order. */
export function writeHeadline(result: Result, rows: readonly Row[], audience: Audience = {}): Headline {
	const { outcome } = result.gate;
	const standing = standingOf(result, audience);
	return {
		outcome,
		standing,
		title: titleOf(standing, rows),
		summary: withUnrun(summarise(result, rows), result),
		effect: describeEffect(result, rows, audience),
		next: nextOf(result, rows, audience),
		accepting: audience.answersCommand ? null : adviseAccepting(result, audience),
	};
}

/** Returns the fault that the headline quotes in full, to be left out of notes. */
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

function withUnrun(summary: Phrase, { changed, gate }: Result): Phrase {
	const unrun = changed && gate.outcome !== 'error' ? notExercised(changed) : null;
	return unrun ? phrase`${summary} ${unrun}` : summary;
}

function summarise(result: Result, rows: readonly Row[]): Phrase {
	const compared = rows.filter(isCompared);
	const stopped = result.ended === 'interrupted';
	if (stopped && compared.every(({ verdict }) => verdict === 'inconclusive')) {
		return ['The run was interrupted: too few rounds for a verdict.'];
	}
	if (result.gate.outcome === 'error') return describeNothing(rows, compared);
	const spoken = isAccepted(result) ? rows : withoutAccepted(result, rows);
	return stopped
		? phrase`The run was interrupted. So far: ${summariseRows(rows, spoken)}`
		: summariseRows(rows, spoken);
}

function summariseRows(rows: readonly Row[], spoken: readonly Row[]): Phrase {
	const compared = spoken.filter(isCompared);
	const others = tallyOthers(rows, spoken);
	const telling = tellingRow(compared, describeFaults(rows, spoken).length > 0);
	if (!telling) return phrase`${tally(rows, spoken)}.${others}`;
	const { row, intro } = telling;
	const single = rows.filter(isCompared).length === 1;
	if (single && row.verdict !== 'unchanged') return phrase`${describeRow(row)}.${others}`;
	return phrase`${tally(rows, spoken)}${intro === '' ? ': ' : `. ${intro}: `}${describeRow(row)}.${others}`;
}

interface Telling {
	readonly row: Row;
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
	if (!row || rows.length === 1) return row && { row, intro: '' };
	return { row, intro: METRICS[row.cell.judgedBy].better === 'higher' ? 'Lowest' : 'Highest' };
}

function lowestOf(rows: readonly Row[]): Row | null {
	const measured = rows.filter((row) => row.span !== null);
	return measured.toSorted((a, b) => (a.span?.mid ?? 0) - (b.span?.mid ?? 0))[0] ?? null;
}

function describeRow(row: Row): Phrase {
	const { verdict, interval, change, judgedBy } = row.cell;
	if (verdict !== 'unchanged' && verdict !== 'improved') return explainRow(gateRowOf(row.cell), nameOf(row));
	const range = isBounded(interval) ? ` (${formatRange(interval)})` : '';
	return phrase`${nameOf(row)} ${{ strong: formatChange(change) }} ${labelOf(judgedBy)}${range}`;
}

function isBounded(interval: Row['cell']['interval']): boolean {
	return interval !== null && (interval.low !== null || interval.high !== null);
}

/** Quotes the fault if all rows have the same one. */
function describeNothing(rows: readonly Row[], compared: readonly Row[]): Phrase {
	if (compared.length === 0) return phrase`${tally(rows)}.`;
	const faults = new Set(compared.map((row) => row.cell.warnings[0]?.message));
	const [first] = compared;
	const same = faults.size === 1 && compared.length === rows.length && first?.verdict === 'invalid';
	if (same) return phrase`${describeBlame(compared)}: ${quoteFault(first)}`;
	const broken = describeFaults(rows);
	return joinPhrases([['Nothing was measured.'], ...broken.map((each) => phrase`${each}.`)], ' ');
}

function nextOf(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const isFaultTold = faultTold(result, rows) !== null;
	const advice = [
		...adviseUnexercised(result),
		...adviseAudit(result),
		...adviseHeaders(rows),
		...adviseRed(result, rows, audience, isFaultTold),
		...adviseInvalid(rows, audience, isFaultTold),
		...adviseInconclusive(result, rows, audience),
		...adviseAdoption(audience),
	];
	if (result.gate.outcome === 'error' && advice.length === 0 && !isAccepted(result))
		return [['Read the notes, fix the faults they name, and run again.']];
	return advice;
}

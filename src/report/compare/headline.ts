import { formatChange, formatPercent, formatRange } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import type { GateOutcome } from '../../types/verdict.ts';
import { type Audience, adviseInconclusive, adviseInvalid, adviseRegressed, quoteFault, tellGate } from './advice.ts';
import type { Standing } from './marks.ts';
import { formatLimit, isCompared, metricWord, nameOf, type Row } from './rows.ts';
import { tally, tallyOthers } from './tally.ts';

/** What a tired maintainer reads: what happened, how sure it is, and what to do about it. */
export interface Headline {
	readonly outcome: GateOutcome;
	readonly standing: Standing;
	/** The standing in a word or two. */
	readonly title: string;
	/** What happened, with the change that matters most, its interval and its limit. */
	readonly summary: Phrase;
	/** What to do next. */
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
	const stopped = result.ended === 'interrupted' ? ['Interrupted; this is what was known by then. '] : [];
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
	const compared = rows.filter(isCompared);
	if (result.gate.outcome === 'error') return describeNothing(compared);
	const telling = tellingRow(compared);
	if (!telling) return phrase`${tally(rows)}.${tallyOthers(rows)}`;
	const { row, intro } = telling;
	if (compared.length === 1) return phrase`${tally(rows)}: ${describeChange(row)}.${tallyOthers(rows)}`;
	const lead = intro === '' ? ': ' : `. ${intro}: `;
	return phrase`${tally(rows)}${lead}${nameOf(row)}, ${describeChange(row)}.${tallyOthers(rows)}`;
}

interface Telling {
	readonly row: Row;
	/** What the row is an example of; empty where the sentence before is about this row alone. */
	readonly intro: string;
}

/** Returns the row whose numbers say most; null where the harmless ones would only distract from rows without numbers. */
function tellingRow(rows: readonly Row[]): Telling | null {
	const [worst, second] = rows.filter((row) => row.verdict === 'regressed');
	if (worst) return { row: worst, intro: second ? 'Worst' : '' };
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
	return row && { row, intro: 'Closest to the limit' };
}

function lowestOf(rows: readonly Row[]): Row | null {
	const measured = rows.filter((row) => row.span !== null);
	return measured.toSorted((a, b) => (a.span?.mid ?? 0) - (b.span?.mid ?? 0))[0] ?? null;
}

/** `−6.1 % requests/s (−8.2 to −3.9 %; limit −5 %)`. */
function describeChange(row: Row): Phrase {
	const { change, interval } = row.cell;
	const unknown = interval === null || (interval.low === null && interval.high === null);
	const sure = formatPercent(interval?.confidence ?? null);
	const range = unknown ? 'too few rounds for an interval' : `${sure} sure: ${formatRange(interval)}`;
	const limit = row.verdict === 'improved' ? '' : `; limit ${formatLimit(row)}`;
	return phrase`${{ strong: formatChange(change) }} ${metricWord(row)} (${range}${limit})`;
}

/** Why there are no numbers; the fault itself where every row has the same one. */
function describeNothing(rows: readonly Row[]): Phrase {
	if (rows.length === 0) return ['There was nothing to compare.'];
	const faults = new Set(rows.map((row) => row.cell.warnings[0]?.message));
	const [first] = rows;
	if (faults.size > 1 || first?.verdict !== 'invalid') return ['Nothing was measured.'];
	return phrase`Nothing was measured: ${quoteFault(first)}`;
}

function actions(result: Result, rows: readonly Row[], audience: Audience): readonly Phrase[] {
	const told = result.gate.outcome === 'error';
	const advice = [
		...adviseRegressed(result, rows, audience),
		...adviseInvalid(rows, told),
		...adviseInconclusive(result, rows),
	];
	if (told && advice.length === 0) advice.push(phrase`Read the notes, fix what they name, and run again.`);
	advice.push(...tellGate(result, audience));
	return advice.length > 0 ? advice : [phrase`Nothing to do.`];
}

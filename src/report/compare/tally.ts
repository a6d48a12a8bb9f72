import { isSkipped } from '../../judge/gate-row.ts';
import { formatCount, formatPercent } from '../../text/numbers.ts';
import { joinPhrases, joinWords, type Phrase, phrase } from '../../text/phrase.ts';
import { METRICS, type Metric } from '../../types/metric.ts';
import type { Verdict } from '../../types/verdict.ts';
import type { Audience } from './audience.ts';
import { describeFaults, faultKindOf, rowsWith } from './fault-words.ts';
import { isCompared, nameOf, nounOf, type Row } from './rows.ts';

const MOST_NAMED = 3;

/**
 * Returns the main count without a full stop: `2 of 7 scenarios got slower`; or else faults by side; or else rows that
 * were not measured, not decided or faster. Names a single row.
 */
export function tally(rows: readonly Row[], audience: Audience): Phrase {
	const compared = rows.filter(isCompared);
	if (rows.length === 0) return ['There was nothing to compare'];
	const faults = describeFaults(rows, audience);
	if (compared.length === 0) return joinPhrases([...faults, describeUncompared(rows)], '. ');
	if (faults.length === 0 || compared.some(isRegressed)) return tallyCompared(rows, compared);
	const others = compared.filter((row) => [null, 'unknown'].includes(faultKindOf(row)));
	if (others.length === 0) return joinPhrases(faults, '. ');
	const prefix = compared.length === others.length ? '' : 'the other ';
	return joinPhrases([...faults, tallyCompared(rows, others, prefix)], '. ');
}

function describeUncompared(rows: readonly Row[]): Phrase {
	if (rows.some((row) => faultKindOf(row) === 'rebase'))
		return ['Nothing was measured, because base is too old for it'];
	if (rows.every(({ verdict }) => verdict === 'removed')) return ['Nothing was measured'];
	if (rows.some(isSame))
		return [`All ${nounOf(rows)}s that both sides have run the same code, so nothing was measured`];
	return [`Every ${nounOf(rows)} exists on one side only, so nothing was measured`];
}

function tallyCompared(rows: readonly Row[], compared: readonly Row[], which: '' | 'the other ' = ''): Phrase {
	const [only, ...more] = compared;
	if (only && more.length === 0) return tallyOne(only);
	const both = whichOf(rows);
	const all = `${both === '' ? which : 'the '}${formatCount(compared.length)} ${nounOf(rows)}s${both}`;
	const count = counter(compared);
	const regressed = count('regressed');
	if (regressed > 0) return [`${formatCount(regressed)} of ${all} got ${worse(compared)}`];
	const counts: readonly (readonly [number, string])[] = [
		[count('invalid'), 'could not be measured'],
		[count('inconclusive'), 'could not be decided'],
		[count('improved'), `got ${better(compared)}`],
	];
	const nonzeroCounts = counts.filter(([number]) => number > 0);
	const others = compared.length - nonzeroCounts.reduce((sum, [number]) => sum + number, 0);
	if (nonzeroCounts.length === 0) return [`None of ${all} got ${worse(compared)}${byHowMuch(compared)}`];
	const list = nonzeroCounts.map(
		([number, what], at) => `${formatCount(number)}${at === 0 ? ` of ${all}` : ''} ${what}`,
	);
	const othersText = others === 0 ? '' : `; ${others === 1 ? 'the other did not get' : 'none of the others got'}`;
	return [`${joinWords(list)}${othersText}${others === 0 ? '' : ` ${worse(compared)}${byHowMuch(compared)}`}`];
}

function whichOf(rows: readonly Row[]): string {
	const others = rows.filter((row) => !isCompared(row));
	if (others.length === 0) return '';
	if (!others.some(isSame)) return ' that base and head both have';
	return others.every(isSame) ? ' whose code differs' : ' that could be compared';
}

/** Returns sentences on rows that `tally` leaves out, each after a space. */
export function tallyOthers(rows: readonly Row[], audience: Audience): Phrase {
	const compared = rows.filter(isCompared);
	const count = counter(compared);
	const faults = compared.some(isRegressed) ? describeFaults(rows, audience) : [];
	const unmeasured = faults.length > 0 ? rowsWith('unknown', rows).length : count('invalid');
	const counts: readonly (readonly [number, string])[] = [
		[count('improved'), `got ${better(rows)}`],
		[unmeasured, 'could not be measured'],
		[count('inconclusive'), 'could not be decided'],
	];
	const beside = joinWords(
		counts.filter(([number]) => number > 0).map(([number, what]) => `${formatCount(number)} ${what}`),
	);
	const hasOthers = compared.some(isRegressed) && beside !== '';
	return [
		...faults.flatMap((fault) => phrase` ${fault}.`),
		hasOthers ? ` Of the others, ${beside}.` : '',
		...(compared.length === 0 ? [] : tallyOneSided(rows)),
	].filter((piece) => piece !== '');
}

/**
 * Returns `Not compared: express/stream (only in head), hapi/ping (newer than base; head needs a rebase), 6 rows (same
 * code on both sides).`
 */
function tallyOneSided(rows: readonly Row[]): Phrase {
	const apart = [
		{ own: rows.filter((row) => row.verdict === 'new'), where: '(only in head)' },
		{ own: rowsWith('rebase', rows), where: '(newer than base; head needs a rebase)' },
		{ own: rows.filter(({ verdict }) => verdict === 'same-code'), where: '(same code on both sides)' },
		{ own: rows.filter(({ verdict }) => verdict === 'unaffected'), where: '(run no changed code)' },
	];
	const parts = apart
		.filter(({ own }) => own.length > 0)
		.map(({ own, where }): Phrase => {
			if (own.length > MOST_NAMED) return [`${formatCount(own.length)} ${nounOf(rows)}s ${where}`];
			const names = own.map((row): Phrase => [nameOf(row)]);
			return phrase`${joinPhrases(names, ', ')} ${where}`;
		});
	return parts.length === 0 ? [] : phrase` Not compared: ${joinPhrases(parts, ', ')}.`;
}

function isSame({ verdict }: Row): boolean {
	return isSkipped(verdict);
}

function isRegressed({ verdict }: Row): boolean {
	return verdict === 'regressed';
}

function tallyOne(row: Row): Phrase {
	const name = nameOf(row);
	if (row.verdict === 'regressed') return phrase`${name} got ${worse([row])}`;
	if (row.verdict === 'improved') return phrase`${name} got ${better([row])}`;
	if (row.verdict === 'invalid') return phrase`${name} could not be measured`;
	if (row.verdict === 'inconclusive') return phrase`${name} could not be decided`;
	return phrase`${name} did not get ${worse([row])}${byHowMuch([row])}`;
}

function counter(rows: readonly Row[]): (verdict: Verdict) => number {
	return (verdict) => rows.filter((row) => row.verdict === verdict).length;
}

function worse(rows: readonly Row[]): string {
	return wordsOf(rows)?.worse ?? 'slower';
}

function better(rows: readonly Row[]): string {
	return wordsOf(rows)?.better ?? 'faster';
}

/** Uses the words of one metric for all rows: `worse` also describes a slower row. */
function wordsOf(rows: readonly Row[]): Metric['words'] {
	const metrics: readonly Metric[] = rows.map(({ cell }) => METRICS[cell.judgedBy]);
	return metrics.find(({ words }) => words)?.words;
}

function byHowMuch(rows: readonly Row[]): string {
	const [threshold, ...others] = new Set(rows.map((row) => row.cell.threshold));
	return threshold === undefined || others.length > 0 ? ' beyond its limit' : ` by ${formatPercent(threshold)} or more`;
}

/** Returns the range of thresholds that the rows could have decided, with the cells at both ends. */
export function describeSmallestDrop(rows: readonly Row[]): Phrase | null {
	const smallestDrops = rows
		.flatMap((row) =>
			row.cell.smallestDecidableThreshold === null ? [] : { row, drop: row.cell.smallestDecidableThreshold },
		)
		.sort((a, b) => a.drop - b.drop);
	const [first, last] = [smallestDrops[0], smallestDrops.at(-1)];
	if (!first || !last) return null;
	const [low, high] = [formatPercent(first.drop), formatPercent(last.drop)];
	if (smallestDrops.length === 1 || low === high) return [low];
	return phrase`${low} (${nameOf(first.row)}) to ${high} (${nameOf(last.row)})`;
}

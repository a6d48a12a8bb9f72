import { isSkipped } from '../../judge/gate-row.ts';
import { hasTooFewRounds } from '../../judge/warnings.ts';
import { countOf, formatCount, formatPercent } from '../../text/numbers.ts';
import { joinPhrases, joinWords, type Phrase, phrase } from '../../text/phrase.ts';
import type { Verdict } from '../../types/verdict.ts';
import { describeFaults, faultKindOf, rowsWith } from './fault-words.ts';
import { isCompared, isUnaffected, nameOf, nounOf, type Row } from './rows.ts';

const MOST_NAMED = 3;

/**
 * Returns the main count of the `spoken` rows without a full stop, such as `2 of 7 scenarios regressed`.
 */
export function tally(rows: readonly Row[], spoken: readonly Row[] = rows): Phrase {
	const compared = spoken.filter(isCompared);
	if (rows.length === 0) return ['There was nothing to compare'];
	const faults = describeFaults(rows, spoken);
	if (compared.length === 0) return joinPhrases([...faults, describeUncompared(rows)], '. ');
	if (faults.length === 0 || compared.some(isRegressed)) return tallyCompared(rows, compared);
	const others = compared.filter((row) => [null, 'unknown'].includes(faultKindOf(row)));
	if (others.length === 0) return joinPhrases(faults, '. ');
	return joinPhrases([...faults, tallyCompared(rows, others, compared.length > others.length)], '. ');
}

function describeUncompared(rows: readonly Row[]): Phrase {
	if (rows.some((row) => faultKindOf(row) === 'rebase'))
		return ['Nothing was measured, because base is too old for it'];
	if (rows.every(({ verdict }) => verdict === 'removed')) return ['Nothing was measured'];
	if (rows.some(isUnaffected)) return [`No ${nounOf(rows)} runs changed code, so nothing was measured`];
	if (rows.some(isSame)) return [`All ${nounOf(rows)}s have the same code on both sides, so nothing was measured`];
	return [`Every ${nounOf(rows)} exists on one side only, so nothing was measured`];
}

function tallyCompared(rows: readonly Row[], compared: readonly Row[], rest = false): Phrase {
	const count = counter(compared);
	const which = rest ? '' : whichOf(rows);
	const total = rest ? compared.length : rows.filter(isCompared).length;
	const all = `${rest || which !== '' ? 'the ' : ''}${rest ? 'other ' : ''}${countOf(total, nounOf(rows))}${which}`;
	if (count('regressed') > 0) return [`${formatCount(count('regressed'))} of ${all} regressed`];
	const counts = nonzero([
		[count('invalid'), 'could not be measured'],
		[count('inconclusive'), 'could not be decided'],
		[count('improved'), 'improved'],
	]);
	const others = compared.length - counts.reduce((sum, [number]) => sum + number, 0);
	if (counts.length === 0) return [`No regression${byHowMuch(compared)} in ${all}`];
	const list = counts.map(([number, what], at) => `${formatCount(number)}${at === 0 ? ` of ${all}` : ''} ${what}`);
	const none =
		others === 0
			? ''
			: `; no regression${byHowMuch(compared)} in the other${others === 1 ? '' : ` ${formatCount(others)}`}`;
	return [`${joinWords(list)}${none}`];
}

function nonzero(counts: readonly (readonly [number, string])[]): readonly (readonly [number, string])[] {
	return counts.filter(([number]) => number > 0);
}

function whichOf(rows: readonly Row[]): string {
	const others = rows.filter((row) => !isCompared(row));
	if (others.length === 0) return '';
	if (!others.some(isSame)) return ' present on both sides';
	if (others.every(isUnaffected)) return ' measured';
	return others.every(isSame) ? ' whose code differs' : ' that could be compared';
}

/** Returns sentences on rows that `tally` leaves out, each after a space. */
export function tallyOthers(rows: readonly Row[], spoken: readonly Row[] = rows): Phrase {
	const compared = spoken.filter(isCompared);
	const count = counter(compared);
	const faults = compared.some(isRegressed) ? describeFaults(rows, spoken) : [];
	const beside = nonzero([
		[count('improved'), 'improved'],
		[faults.length > 0 ? rowsWith('unknown', spoken).length : count('invalid'), 'could not be measured'],
		[count('inconclusive'), 'could not be decided'],
	]).map(([number, what]) => `${formatCount(number)} ${what}`);
	return [
		...faults.flatMap((fault) => phrase` ${fault}.`),
		compared.some(isRegressed) && beside.length > 0 ? ` Of the others, ${joinWords(beside)}.` : '',
		...(rows.some(isCompared) ? tallyOneSided(rows) : []),
	].filter((piece) => piece !== '');
}

/** `Not compared: express/stream (only in head), 6 rows (same code on both sides).` */
function tallyOneSided(rows: readonly Row[]): Phrase {
	const apart = [
		{ own: rows.filter((row) => row.verdict === 'new'), where: '(only in head)' },
		{ own: rowsWith('rebase', rows), where: '(newer than base; head needs a rebase)' },
		{ own: rows.filter(({ verdict }) => verdict === 'same-code'), where: '(same code on both sides)' },
	];
	const parts = apart
		.filter(({ own }) => own.length > 0)
		.map(({ own, where }): Phrase => {
			if (own.length > MOST_NAMED) return [`${formatCount(own.length)} ${nounOf(rows)}s ${where}`];
			const names = own.map((row): Phrase => [nameOf(row)]);
			return phrase`${joinPhrases(names, ', ')} ${where}`;
		});
	const apartWords = parts.length === 0 ? [] : phrase` Not compared: ${joinPhrases(parts, ', ')}.`;
	return [...apartWords, ...tallyUnaffected(rows)];
}

/** The only mention of these rows in a terminal and a comment. */
function tallyUnaffected(rows: readonly Row[]): Phrase {
	const own = rows.filter(isUnaffected);
	const [run, were] = own.length === 1 ? ['runs', 'was'] : ['run', 'were'];
	const which =
		own.length > MOST_NAMED
			? [`${formatCount(own.length)} of ${countOf(rows.length, nounOf(rows))}`]
			: joinPhrases(
					own.map((row): Phrase => [nameOf(row)]),
					', ',
				);
	return own.length === 0 ? [] : phrase` ${which} ${run} none of the changed code and ${were} not measured.`;
}

function isSame({ verdict }: Row): boolean {
	return isSkipped(verdict);
}

function isRegressed({ verdict }: Row): boolean {
	return verdict === 'regressed';
}

function counter(rows: readonly Row[]): (verdict: Verdict) => number {
	return (verdict) => rows.filter((row) => row.verdict === verdict).length;
}

function byHowMuch(rows: readonly Row[]): string {
	const [threshold, ...others] = new Set(rows.map((row) => row.cell.threshold));
	return threshold === undefined || others.length > 0 ? ' beyond the limit' : ` of ${formatPercent(threshold)} or more`;
}

/**
 * Returns the range of thresholds that rows could decide, with the cells at both ends. Beside a row decided at a
 * smaller threshold the figure would seem to deny the verdict.
 */
export function describeSmallestDrop(rows: readonly Row[]): Phrase | null {
	const smallestDrops = rows
		.flatMap((row) => {
			const { smallestDecidableThreshold: drop, threshold } = row.cell;
			const isDenied = row.verdict !== 'inconclusive' && (drop ?? 0) > threshold;
			return drop === null || isDenied || hasTooFewRounds(row.cell.warnings) ? [] : { row, drop };
		})
		.sort((a, b) => a.drop - b.drop);
	const [first, last] = [smallestDrops[0], smallestDrops.at(-1)];
	if (!first || !last) return null;
	const [low, high] = [formatPercent(first.drop), formatPercent(last.drop)];
	if (smallestDrops.length === 1 || low === high) return [low];
	return phrase`${low} (${nameOf(first.row)}) to ${high} (${nameOf(last.row)})`;
}

import { formatCount, formatPercent } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Verdict } from '../../types/verdict.ts';
import { brokenSides, describeBroken, sideAtFault } from './broken-side.ts';
import { isCompared, nameOf, nounOf, type Row } from './rows.ts';

/** Rows on one side named before the rest becomes a number. */
const MOST_NAMED = 3;

/**
 * Returns, without a full stop, how many rows did what the gate asks about: `2 of 7 scenarios got slower`; else which side is broken,
 * how many could not be measured or decided, or got faster, and that none got slower. A run of one row is told by its name.
 */
export function tally(rows: readonly Row[]): Phrase {
	const compared = rows.filter(isCompared);
	if (rows.length === 0) return ['There was nothing to compare'];
	if (compared.length === 0) return [`Every ${nounOf(rows)} exists on one side only, so there was nothing to compare`];
	const broken = compared.some(isRegressed) ? null : describeBroken(compared);
	if (broken === null) return tallyCompared(rows, compared);
	const fine = brokenSides(compared).join() === 'head' ? '. No fault was found in base' : '';
	const others = compared.filter((row) => sideAtFault(row) === null);
	const rest = others.length === 0 ? [] : phrase`. ${tallyCompared(rows, others, 'the other ')}`;
	return phrase`${broken}${fine}${rest}`;
}

/** `which`: what tells the rows from those that were spoken of before. */
function tallyCompared(rows: readonly Row[], compared: readonly Row[], which: '' | 'the other ' = ''): Phrase {
	const [only, ...more] = compared;
	if (only && more.length === 0) return tallyOne(only);
	const both = rows.every(isCompared) ? '' : ' that base and head both have';
	const all = `${both === '' ? which : 'the '}${formatCount(compared.length)} ${nounOf(rows)}s${both}`;
	const count = counter(compared);
	const regressed = count('regressed');
	if (regressed > 0) return [`${formatCount(regressed)} of ${all} got ${worse(compared)}`];
	const counts: readonly (readonly [number, string])[] = [
		[count('invalid'), 'could not be measured'],
		[count('inconclusive'), 'could not be decided'],
		[count('improved'), `got ${better(compared)}`],
	];
	const told = counts.filter(([number]) => number > 0);
	const others = compared.length - told.reduce((sum, [number]) => sum + number, 0);
	if (told.length === 0) return [`None of ${all} got ${worse(compared)}${byHowMuch(compared)}`];
	const list = told.map(([number, what], at) => `${formatCount(number)}${at === 0 ? ` of ${all}` : ''} ${what}`);
	const rest = others === 0 ? '' : `; ${others === 1 ? 'the other did not get' : 'none of the others got'}`;
	return [`${joinAnd(list)}${rest}${others === 0 ? '' : ` ${worse(compared)}${byHowMuch(compared)}`}`];
}

/** Returns what happened to the rows `tally` does not speak of, as sentences with a space before each; mostly empty. */
export function tallyOthers(rows: readonly Row[]): Phrase {
	const compared = rows.filter(isCompared);
	const count = counter(compared);
	const broken = compared.some(isRegressed) ? describeBroken(compared) : null;
	const unmeasured = broken ? 0 : count('invalid');
	const counts: readonly (readonly [number, string])[] = [
		[count('improved'), `got ${better(rows)}`],
		[unmeasured, 'could not be measured'],
		[count('inconclusive'), 'could not be decided'],
	];
	const beside = joinAnd(
		counts.filter(([number]) => number > 0).map(([number, what]) => `${formatCount(number)} ${what}`),
	);
	const told = compared.some(isRegressed) && beside !== '';
	return [
		...(broken ? phrase` ${broken}.` : []),
		told ? ` Of the others, ${beside}.` : '',
		...(compared.length === 0 ? [] : tallyOneSided(rows)),
	].filter((piece) => piece !== '');
}

/** `Not compared: express/stream (only in head), hapi/ping (only in base).` */
function tallyOneSided(rows: readonly Row[]): Phrase {
	const sides = (['new', 'removed'] as const).map((verdict) => ({
		own: rows.filter((row) => row.verdict === verdict),
		where: verdict === 'new' ? '(only in head)' : '(only in base)',
	}));
	const parts = sides
		.filter(({ own }) => own.length > 0)
		.map(({ own, where }): Phrase => {
			if (own.length > MOST_NAMED) return [`${formatCount(own.length)} ${nounOf(rows)}s ${where}`];
			return phrase`${joinPhrases(
				own.map((row) => [nameOf(row)]),
				', ',
			)} ${where}`;
		});
	return parts.length === 0 ? [] : phrase` Not compared: ${joinPhrases(parts, ', ')}.`;
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
	return takesMemory(rows) ? 'worse' : 'slower';
}

function better(rows: readonly Row[]): string {
	return takesMemory(rows) ? 'better' : 'faster';
}

/** More memory is not slower. */
function takesMemory(rows: readonly Row[]): boolean {
	return rows.some((row) => row.cell.judgedBy === 'memory-peak');
}

function byHowMuch(rows: readonly Row[]): string {
	const [threshold, ...others] = new Set(rows.map((row) => row.cell.threshold));
	return threshold === undefined || others.length > 0 ? ' beyond its limit' : ` by ${formatPercent(threshold)} or more`;
}

function joinAnd(parts: readonly string[]): string {
	return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

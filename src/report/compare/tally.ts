import { formatCount, formatPercent } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { Verdict } from '../../types/verdict.ts';
import { isCompared, nameOf, nounOf, type Row } from './rows.ts';

/**
 * Returns, without a full stop, how many rows did what the gate asks about: `2 of 7 scenarios got slower`; else how many could not
 * be measured or decided, or got faster, and that none got slower. A run of one row is told by its name.
 */
export function tally(rows: readonly Row[]): Phrase {
	const compared = rows.filter(isCompared);
	if (rows.length === 0) return ['There was nothing to compare'];
	const noun = nounOf(compared.length === 0 ? rows : compared);
	if (compared.length === 0) return [`Every ${noun} exists on one side only, so there was nothing to compare`];
	const [only, ...more] = compared;
	if (only && more.length === 0) return tallyOne(only);
	const all = `${formatCount(compared.length)} ${noun}s`;
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
export function tallyOthers(rows: readonly Row[]): string {
	const count = counter(rows);
	const list = (counts: readonly (readonly [number, string])[]): string =>
		joinAnd(counts.filter(([number]) => number > 0).map(([number, what]) => `${formatCount(number)} ${what}`));
	const beside = list([
		[count('improved'), `got ${better(rows)}`],
		[count('invalid'), 'could not be measured'],
		[count('inconclusive'), 'could not be decided'],
	]);
	const oneSided = list([
		[count('new'), 'only in head'],
		[count('removed'), 'only in base'],
	]);
	return [
		count('regressed') === 0 || beside === '' ? '' : ` Of the others, ${beside}.`,
		oneSided === '' || !rows.some(isCompared) ? '' : ` Not compared: ${oneSided}.`,
	].join('');
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

import { weighResult } from '../../judge/acceptance/accept.ts';
import { EVERY_CELL, isCellName, KIND_WORDS, writeWhat } from '../../text/accepted-words.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatCount } from '../../text/numbers.ts';
import { joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import type { Acceptance, RedKind, RedRow } from '../../types/verdict.ts';
import type { Row } from './rows.ts';

/** Where people accept what is red; nothing on the command line. */
export interface AcceptingPlace {
	/** Label that accepts; absent or null where there is no pull request to put it on. */
	readonly acceptLabel?: string | null;
	/** Commit that an acceptance would be for; from a trusted event. */
	readonly headSha?: string;
}

type Weighable = Pick<Result, 'cells' | 'gate'>;

/** Rows named in one sentence before the rest becomes a number. */
const MOST_NAMED = 3;
/** Stands where whoever accepts writes why. */
const REASON = 'REASON';
const HOW: Readonly<Record<Acceptance['via'], string>> = {
	label: 'with a label',
	body: 'in the description',
	comment: 'in a comment',
	flag: 'on the command line',
};
const WHY_RED: Readonly<Record<Exclude<RedKind, 'regressed'>, string>> = {
	broken: 'broken',
	removed: 'removed',
	'answer-changed': 'another answer',
};

/** Returns whether everything that was red is accepted. */
export function isAccepted(result: Weighable): boolean {
	return result.gate.accepted !== undefined && weighResult(result).open.length === 0;
}

/** Returns who accepted which red rows, how and why, without a full stop; null when nobody accepted any. */
export function describeAcceptance(result: Weighable): Phrase | null {
	const { accepted: acceptance } = result.gate;
	if (!acceptance) return null;
	const by = { code: plainText(acceptance.by, NAME_LIMIT) };
	const rows = nameRedRows(weighResult(result).accepted);
	if (acceptance.via === 'flag') return phrase`${by} accepts ${rows}`;
	const reason = plainText(acceptance.reason ?? '', MESSAGE_LIMIT);
	const why = reason === '' ? ', without a reason' : phrase`: “${{ text: reason }}”`;
	return phrase`${by} accepted ${rows} ${HOW[acceptance.via]}${why}`;
}

/** Returns the red rows that nobody accepted, by name; null when there are none. */
export function describeOpen(result: Weighable): Phrase | null {
	const { open } = weighResult(result);
	return open.length === 0 ? null : nameRedRows(open);
}

/** Returns the rows of a report that are red and that nobody accepted. */
export function openRows(result: Weighable, rows: readonly Row[]): readonly Row[] {
	return rows.filter(isAmong(weighResult(result).open));
}

/** Returns the rows of a report without those that somebody accepted. */
export function withoutAccepted(result: Weighable, rows: readonly Row[]): readonly Row[] {
	const accepted = isAmong(weighResult(result).accepted);
	return rows.filter((row) => !accepted(row));
}

function isAmong(red: readonly RedRow[]): (row: Row) => boolean {
	return ({ id, cell }) => red.some((one) => one.cell === id && one.metric === cell.metric);
}

/** Returns what an acceptance covers, as plain text: `express/ping up to 6 %`. */
export function describeAcceptedRows({ rows }: Acceptance): string {
	if (rows === undefined) return 'everything';
	const named = rows.slice(0, MOST_NAMED).map(({ cell, ...what }) => {
		const name = cell === null ? 'every row' : plainText(cell, NAME_LIMIT);
		const word = writeWhat(what);
		return word === EVERY_CELL ? name : `${name} ${word}`;
	});
	return [...named, ...(rows.length > MOST_NAMED ? [`${rows.length - MOST_NAMED} more`] : [])].join(', ');
}

/**
 * Returns how people accept what is red and not accepted yet, in whole sentences, with the exact lines to write; null where nothing is, or
 * where there is no pull request to write in.
 */
export function adviseAccepting(result: Weighable, { acceptLabel, headSha }: AcceptingPlace): Phrase | null {
	const { open } = weighResult(result);
	if (!acceptLabel || open.length === 0) return null;
	const lines = acceptingLines(open, headSha).map((code): Phrase => [{ code }]);
	const what = open.every(({ kind }) => kind === 'regressed') ? 'the slowdown' : 'this';
	const label = { code: plainText(acceptLabel, NAME_LIMIT) };
	return phrase`if ${what} is intended, someone with write access can accept it: write ${joinPhrases(lines, ' and, on a line of its own, ')} into the description or a comment, or add the label ${label}; then run the workflow again.`;
}

/** Returns the lines that let these rows pass, with a place for the reason; one for the whole commit where they are many. */
function acceptingLines(open: readonly RedRow[], headSha: string | undefined): readonly string[] {
	const commit = headSha !== undefined && /^[0-9a-f]{40,64}$/.test(headSha) ? headSha : 'COMMIT';
	if (open.length > MOST_NAMED || open.some(({ cell }) => !isCellName(cell))) return [lineOf(commit, REASON)];
	return worstFirst(open).map(({ cell, kind, change }) => {
		if (kind === 'removed') return lineOf(cell, KIND_WORDS[kind], REASON);
		if (kind !== 'regressed' || change === null) return lineOf(commit, cell, KIND_WORDS[kind], REASON);
		return lineOf(cell, sizeFor(change), REASON);
	});
}

/** The smallest whole percentage that covers a change. */
function sizeFor(change: number): string {
	const percent = Math.ceil(Math.abs(change) * 100 - 1e-9);
	return `${change < 0 ? '-' : '+'}${percent}%`;
}

function lineOf(...words: readonly string[]): string {
	return ['benchgate: accepted', ...words].join(' ');
}

function nameRedRows(rows: readonly RedRow[]): Phrase {
	const named = worstFirst(rows).slice(0, MOST_NAMED).map(nameRed);
	const left = rows.length - named.length;
	if (left > 0) return phrase`${joinPhrases(named, ', ')} and ${formatCount(left)} more`;
	const last = named.at(-1) ?? [];
	return named.length < 2 ? last : phrase`${joinPhrases(named.slice(0, -1), ', ')} and ${last}`;
}

/** What is no slowdown comes first: it has no size. */
function worstFirst(rows: readonly RedRow[]): readonly RedRow[] {
	const harm = ({ change }: RedRow): number => (change === null ? Number.POSITIVE_INFINITY : Math.abs(change));
	return rows.toSorted((a, b) => (harm(a) === harm(b) ? 0 : harm(b) - harm(a)));
}

function nameRed({ cell, kind, change }: RedRow): Phrase {
	const name = { code: plainText(cell, NAME_LIMIT) };
	if (kind !== 'regressed') return phrase`${name} (${WHY_RED[kind]})`;
	return change === null ? [name] : phrase`${name} ${formatChange(change)}`;
}

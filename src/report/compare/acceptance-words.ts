import { weighResult } from '../../judge/acceptance.ts';
import { EVERY_CELL, isCellName, KIND_WORDS, MOST_PERCENT, writeWhat } from '../../text/accepted-words.ts';
import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatCount } from '../../text/numbers.ts';
import { joinAnd, joinPhrases, type Phrase, phrase } from '../../text/phrase.ts';
import type { Result } from '../../types/result.ts';
import type { Acceptance, RedKind, RedRow } from '../../types/verdict.ts';
import { type AcceptingPlace, runAgain } from './audience.ts';
import type { Row } from './rows.ts';

type Weighable = Pick<Result, 'cells' | 'gate'>;

const MOST_NAMED = 3;
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
	'adds-to-drift': 'adds to drift',
};

export function isAccepted(result: Weighable): boolean {
	return result.gate.accepted !== undefined && weighResult(result).open.length === 0;
}

/** Whether every red row is accepted and nothing else blocks. */
export function passesAccepted(result: Weighable & Pick<Result, 'onInconclusive'>): boolean {
	const { outcome, neutral } = result.gate;
	const blocks = outcome === 'error' || (outcome === 'inconclusive' && result.onInconclusive === 'fail');
	return isAccepted(result) && (neutral === 'always' || !blocks);
}

/** Returns a sentence without full stop: who accepted which red rows, how, and why. */
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

/** Returns `NAMES are`, of red rows not accepted; null if all are. */
export function describeOpen(result: Weighable): Phrase | null {
	const { open } = weighResult(result);
	return open.length === 0 ? null : phrase`${nameRedRows(open)} ${open.length === 1 ? 'is' : 'are'}`;
}

export function openRows(result: Weighable, rows: readonly Row[]): readonly Row[] {
	return rows.filter(isAmong(weighResult(result).open));
}

export function withoutAccepted(result: Weighable, rows: readonly Row[]): readonly Row[] {
	const accepted = isAmong(weighResult(result).accepted);
	return rows.filter((row) => !accepted(row));
}

function isAmong(red: readonly RedRow[]): (row: Row) => boolean {
	return ({ id, cell }) => red.some((one) => one.cell === id && one.metric === cell.metric);
}

/** Returns text such as `express/ping up to 6 %`. */
export function describeAcceptedRows({ rows }: Acceptance): string {
	if (rows === undefined) return 'everything';
	const named = rows.slice(0, MOST_NAMED).map(({ cell, ...what }) => {
		const name = cell === null ? 'every row' : plainText(cell, NAME_LIMIT);
		const word = writeWhat(what);
		return word === EVERY_CELL ? name : `${name} ${word}`;
	});
	return [...named, ...(rows.length > MOST_NAMED ? [`${rows.length - MOST_NAMED} more`] : [])].join(', ');
}

export interface Accepting {
	readonly title: string;
	readonly lines: readonly string[];
	readonly label: string;
	readonly again: Phrase;
}

/** Returns the exact lines that accept the open red rows; null if none, or no pull request. */
export function adviseAccepting(
	result: Weighable,
	{ acceptLabel, headSha, workflows }: AcceptingPlace,
): Accepting | null {
	const { open } = weighResult(result);
	if (!acceptLabel || open.length === 0) return null;
	const slow = open.every(({ kind }) => kind === 'regressed');
	const what = slow ? (open.length === 1 ? 'this slowdown' : 'these slowdowns') : open.length === 1 ? 'this' : 'these';
	return {
		title: `Accept ${what}`,
		lines: acceptingLines(open, headSha),
		label: plainText(acceptLabel, NAME_LIMIT),
		again: runAgain(workflows?.reporting, `run the ${workflows?.reporting === null ? 'reporting ' : ''}workflow again`),
	};
}

/** One line for the whole commit if there are many rows. */
function acceptingLines(open: readonly RedRow[], headSha: string | undefined): readonly string[] {
	const commit = headSha !== undefined && /^[0-9a-f]{40,64}$/.test(headSha) ? headSha : 'COMMIT';
	const named = perCell(open).map(({ cell, kind, change }) => {
		if (kind === 'removed') return lineOf(cell, KIND_WORDS[kind], REASON);
		const size = kind === 'regressed' && change !== null ? sizeFor(change) : null;
		return size === null ? lineOf(commit, cell, KIND_WORDS[kind], REASON) : lineOf(cell, size, REASON);
	});
	const nameable = named.length <= MOST_NAMED && open.every(({ cell }) => isCellName(cell));
	return nameable ? named : [lineOf(commit, REASON)];
}

/** Keeps one row per cell, because the lines name cells, not metrics. */
function perCell(rows: readonly RedRow[]): readonly RedRow[] {
	const sorted = worstFirst(rows);
	return sorted.filter(
		({ cell, kind }, at) => sorted.findIndex((one) => one.cell === cell && one.kind === kind) === at,
	);
}

/** The smallest whole percentage that covers a change; null beyond the syntax limit. */
function sizeFor(change: number): string | null {
	const percent = Math.ceil(Math.abs(change) * 100 - 1e-9);
	return percent > MOST_PERCENT ? null : `${change < 0 ? '-' : '+'}${percent}%`;
}

function lineOf(...words: readonly string[]): string {
	return ['benchgate: accepted', ...words].join(' ');
}

function nameRedRows(rows: readonly RedRow[]): Phrase {
	const sorted = worstFirst(rows);
	const distinct = [
		...sorted.filter(({ change }) => change !== null),
		...perCell(sorted.filter(({ change }) => change === null)),
	];
	const named = worstFirst(distinct).slice(0, MOST_NAMED).map(nameRed);
	const hiddenCount = distinct.length - named.length;
	return hiddenCount > 0 ? phrase`${joinPhrases(named, ', ')} and ${formatCount(hiddenCount)} more` : joinAnd(named);
}

/** Rows without a size come first, because they are no slowdowns. */
function worstFirst(rows: readonly RedRow[]): readonly RedRow[] {
	const harm = ({ change }: RedRow): number => (change === null ? Number.POSITIVE_INFINITY : Math.abs(change));
	return rows.toSorted((a, b) => (harm(a) === harm(b) ? 0 : harm(b) - harm(a)));
}

function nameRed({ cell, kind, change }: RedRow): Phrase {
	const name = { code: plainText(cell, NAME_LIMIT) };
	if (kind !== 'regressed') return phrase`${name} (${WHY_RED[kind]})`;
	return change === null ? [name] : phrase`${name} ${formatChange(change)}`;
}

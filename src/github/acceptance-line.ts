import { parse, postprocess, preprocess } from 'micromark';
import { type AcceptedWhat, EVERY_CELL, isCellName, readWhat } from '../text/accepted-words.ts';
import type { AcceptedRows } from '../types/verdict.ts';

export interface AcceptanceLine {
	/** Prefix of at least `COMMIT_DIGITS`, in lower case; null if the line also applies to later commits. */
	readonly commit: string | null;
	/** Null accepts everything red in that commit. */
	readonly rows: AcceptedRows | null;
	/** The reason without escapes. */
	readonly reason: string;
}

export type LineProblem = 'no-reason' | 'too-long' | 'short-commit' | 'no-commit' | 'no-kind';

export type ReadLine = AcceptanceLine | { readonly problem: LineProblem };

/** In characters. */
export const REASON_LIMIT = 500;
/** A commit with a shorter prefix could be forged: seven digits take minutes. */
export const COMMIT_DIGITS = 16;
/** Later lines are ignored. */
const MOST_LINES = 50;
const LINE = /^[ \t]*benchgate:[ \t]*accepted(?=[:\s]|$):?(.*)$/isu;
const DASH = /^[ \t]*[–—-][ \t]/;
const COMMIT = /^([0-9a-f]{7,64})(?=\s|$)/i;
/** Allows the space that reports print before percent signs. */
const WORD = /^(?:[-+−–]?[\d.]+[ \u00a0\u202f]?%|\S+)(?=\s|$)/u;
/** A cell in quotes, or followed by punctuation. */
const LIKE_CELL = /^[`"'*]*[\w.-]+\/[\w.-]+[`"'*,:;]*$/;
const PLACEHOLDER = /^(?:<[^<>]*>|REASON)$/;
const PROSE = ['paragraph', 'setextHeadingText'];
/** Kinds of Markdown that are quoted, code, or invisible. */
const NOT_SAID = ['blockQuote', 'codeFenced', 'codeIndented', 'htmlFlow', 'definition'];
/** The same inside a paragraph, where only lines after the first are affected. */
const NOT_SAID_INSIDE = ['codeText', 'htmlText', 'resource'];
/** Emphasis is irrelevant here, and parsing it takes quadratic time. */
const EXTENSION = { disable: { null: ['attention'] } };
/** Longer lines are cut: thousands of nested lists on one line take quadratic time too. */
const LINE_LIMIT = 2_000;

/**
 * Returns the lines `benchgate: accepted …` in Markdown, each parsed or with its problem (grammar: docs/accepting.md).
 * Code, HTML and quotes do not count.
 */
export function readAcceptanceLines(markdown: string): readonly ReadLine[] {
	if (!mayAccept(markdown)) return [];
	const lines = markdown.split(/\r\n|\n|\r/).map((line) => line.slice(0, LINE_LIMIT));
	const prose = findProse(lines.join('\n'));
	const acceptanceLines = lines.filter((line, index) => LINE.test(line) && prose(index + 1));
	return acceptanceLines.slice(0, MOST_LINES).map((line) => readLine(LINE.exec(line)?.[1] ?? ''));
}

/** Returns the reason in the first valid line `benchgate: accepted REASON`, unescaped. */
export function readPlainAcceptance(markdown: string): { readonly reason: string } | null {
	const lines = markdown.split(/\r\n|\n|\r/).map((line) => line.slice(0, LINE_LIMIT));
	if (!mayAccept(markdown)) return null;
	const prose = findProse(lines.join('\n'));
	const acceptanceLines = lines.filter((line, index) => LINE.test(line) && prose(index + 1)).slice(0, MOST_LINES);
	const reasons = acceptanceLines.map((line) => (LINE.exec(line)?.[1] ?? '').replace(DASH, '').trim());
	const reason = reasons.find((text) => isReason(text) && [...text].length <= REASON_LIMIT);
	return reason === undefined ? null : { reason };
}

/** Refuses a template's unchanged `<reason>`. */
function isReason(text: string): boolean {
	return /[\p{L}\p{N}]/u.test(text) && !PLACEHOLDER.test(text);
}

/** Tests cheaply for such a line, even in a text meant to be slow. */
export function mayAccept(markdown: string): boolean {
	return markdown.split(/\r\n|\n|\r/).some((line) => LINE.test(line.slice(0, LINE_LIMIT)));
}

export function holdsFor({ commit }: AcceptanceLine, headSha: string): boolean {
	return commit === null || headSha.toLowerCase().startsWith(commit);
}

function readLine(text: string): ReadLine {
	const words = text.replace(DASH, '').trim();
	const commit = COMMIT.exec(words)?.[1]?.toLowerCase() ?? null;
	const remainder = words.slice(commit?.length ?? 0).trim();
	const { rows, reason } = readRows(remainder);
	if (rows === undefined) return { problem: 'no-kind' };
	if (!isReason(reason)) return { problem: 'no-reason' };
	if ([...reason].length > REASON_LIMIT) return { problem: 'too-long' };
	if (commit !== null && commit.length < COMMIT_DIGITS) return { problem: 'short-commit' };
	if (commit === null && !isBounded(rows)) return { problem: 'no-commit' };
	return { commit, rows, reason };
}

/** `rows` is null if not named, and undefined if malformed. */
function readRows(text: string): { readonly rows: AcceptedRows | null | undefined; readonly reason: string } {
	const [cell = ''] = WORD.exec(text) ?? [];
	const remainder = text.slice(cell.length).trim();
	const [word = ''] = WORD.exec(remainder) ?? [];
	const what = readWhat(word);
	const named = isCellName(cell);
	if (what && (named || cell === EVERY_CELL)) {
		return { rows: rowsOf(named ? cell : null, what), reason: remainder.slice(word.length).replace(DASH, '').trim() };
	}
	// A malformed row or size must not become a reason to accept everything.
	const meant = named || LIKE_CELL.test(cell) || what !== undefined || typeof readWhat(cell)?.upTo === 'number';
	return { rows: meant ? undefined : null, reason: text.replace(DASH, '').trim() };
}

function rowsOf(cell: string | null, { kind, upTo }: AcceptedWhat): AcceptedRows {
	return { cell, kind, upTo };
}

/** Whether later commits are limited to the accepted harm: at most that much slower, or only that row removed. */
function isBounded(rows: AcceptedRows | null): boolean {
	return rows !== null && (rows.upTo !== null || (rows.cell !== null && rows.kind === 'removed'));
}

/** Tests whether a 1-based line begins in a paragraph, outside code, HTML and quotes. */
function findProse(markdown: string): (line: number) => boolean {
	const proseLines = new Set<number>();
	const notSaid = new Set<number>();
	const chunks = preprocess()(markdown, undefined, true);
	for (const [kind, { type, start, end }] of postprocess(
		parse({ extensions: [EXTENSION] })
			.document()
			.write(chunks),
	)) {
		if (kind !== 'enter') continue;
		if (PROSE.includes(type)) addLines(proseLines, start.line, end.line);
		if (NOT_SAID.includes(type)) addLines(notSaid, start.line, end.line);
		if (NOT_SAID_INSIDE.includes(type)) addLines(notSaid, start.line + 1, end.line);
	}
	return (line) => proseLines.has(line) && !notSaid.has(line);
}

function addLines(lines: Set<number>, first: number, last: number): void {
	for (let line = first; line <= last; line++) lines.add(line);
}

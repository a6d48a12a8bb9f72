import { parse, postprocess, preprocess } from 'micromark';
import { type AcceptedWhat, EVERY_CELL, isCellName, readWhat } from '../text/accepted-words.ts';
import type { AcceptedRows } from '../types/verdict.ts';

/** A line of a pull request that lets red rows pass. */
export interface AcceptanceLine {
	/** Beginning of the commit it is for, in lower case, at least `COMMIT_DIGITS` long; null where it holds for later commits too. */
	readonly commit: string | null;
	/** Null: everything that is red in that commit. */
	readonly rows: AcceptedRows | null;
	/** As written: escape it. */
	readonly reason: string;
}

/** Why a line does not count. */
export type LineProblem = 'no-reason' | 'too-long' | 'short-commit' | 'no-commit' | 'no-kind';

export type ReadLine = AcceptanceLine | { readonly problem: LineProblem };

/** Longest reason, in characters. */
export const REASON_LIMIT = 500;
/** With fewer digits of a commit, somebody could make another one that begins alike: seven take minutes. */
export const COMMIT_DIGITS = 16;
/** Lines beyond these are not read. */
const MOST_LINES = 50;
const LINE = /^[ \t]*benchgate:[ \t]*accepted(?=[:\s]|$):?(.*)$/isu;
const DASH = /^[ \t]*[–—-][ \t]/;
const COMMIT = /^([0-9a-f]{7,64})(?=\s|$)/i;
/** The first word, with the space that reports print before a percent sign. */
const WORD = /^(?:[-+−–]?[\d.]+[ \u00a0\u202f]?%|\S+)(?=\s|$)/u;
/** A cell in other clothes: quoted, or with a mark behind it. */
const LIKE_CELL = /^[`"'*]*[\w.-]+\/[\w.-]+[`"'*,:;]*$/;
const PLACEHOLDER = /^(?:<[^<>]*>|REASON)$/;
const PROSE = ['paragraph', 'setextHeadingText'];
/** In these a line is quoted, shown as code, or not shown at all. */
const NOT_SAID = ['blockQuote', 'codeFenced', 'codeIndented', 'htmlFlow', 'definition'];
/** The same within a paragraph: there, the line such a thing begins in has begun before it. */
const NOT_SAID_INSIDE = ['codeText', 'htmlText', 'resource'];
/** Emphasis does not matter here, and takes quadratic time. */
const EXTENSION = { disable: { null: ['attention'] } };
/** Longer lines are read this far: thousands of nested lists on one line take quadratic time too. */
const LINE_LIMIT = 2_000;

/**
 * Returns the lines `benchgate: accepted …` of a Markdown text, each read or with what is wrong with it; usually none. docs/accepting.md
 * has their grammar. Lines count as prose only: not in code, in HTML, or in quotes.
 */
export function readAcceptanceLines(markdown: string): readonly ReadLine[] {
	if (!mayAccept(markdown)) return [];
	const lines = markdown.split(/\r\n|\n|\r/).map((line) => line.slice(0, LINE_LIMIT));
	const prose = findProse(lines.join('\n'));
	const said = lines.filter((line, index) => LINE.test(line) && prose(index + 1));
	return said.slice(0, MOST_LINES).map((line) => readLine(LINE.exec(line)?.[1] ?? ''));
}

/**
 * Returns the reason of the first line `benchgate: accepted REASON` of a Markdown text, for where nothing else has to be named; null
 * without such a line or without a reason. As written: escape it.
 */
export function readPlainAcceptance(markdown: string): { readonly reason: string } | null {
	const lines = markdown.split(/\r\n|\n|\r/).map((line) => line.slice(0, LINE_LIMIT));
	if (!mayAccept(markdown)) return null;
	const prose = findProse(lines.join('\n'));
	const said = lines.filter((line, index) => LINE.test(line) && prose(index + 1)).slice(0, MOST_LINES);
	const reasons = said.map((line) => (LINE.exec(line)?.[1] ?? '').replace(DASH, '').trim());
	const reason = reasons.find((text) => isReason(text) && [...text].length <= REASON_LIMIT);
	return reason === undefined ? null : { reason };
}

/** A template's `<reason>` nobody filled in is none. */
function isReason(text: string): boolean {
	return /[\p{L}\p{N}]/u.test(text) && !PLACEHOLDER.test(text);
}

/** Returns whether a text has such a line at all, prose or not: cheap, also for a text made to be slow. */
export function mayAccept(markdown: string): boolean {
	return markdown.split(/\r\n|\n|\r/).some((line) => LINE.test(line.slice(0, LINE_LIMIT)));
}

/** Returns whether a line holds for the head commit `headSha`. */
export function holdsFor({ commit }: AcceptanceLine, headSha: string): boolean {
	return commit === null || headSha.toLowerCase().startsWith(commit);
}

function readLine(text: string): ReadLine {
	const words = text.replace(DASH, '').trim();
	const commit = COMMIT.exec(words)?.[1]?.toLowerCase() ?? null;
	const rest = words.slice(commit?.length ?? 0).trim();
	const { rows, reason } = readRows(rest);
	if (rows === undefined) return { problem: 'no-kind' };
	if (!isReason(reason)) return { problem: 'no-reason' };
	if ([...reason].length > REASON_LIMIT) return { problem: 'too-long' };
	if (commit !== null && commit.length < COMMIT_DIGITS) return { problem: 'short-commit' };
	if (commit === null && !isBounded(rows)) return { problem: 'no-commit' };
	return { commit, rows, reason };
}

/** Rows null: none are named. Undefined: something begins like a row or a size, and is not written as one. */
function readRows(text: string): { readonly rows: AcceptedRows | null | undefined; readonly reason: string } {
	const [cell = ''] = WORD.exec(text) ?? [];
	const rest = text.slice(cell.length).trim();
	const [word = ''] = WORD.exec(rest) ?? [];
	const what = readWhat(word);
	const named = isCellName(cell);
	if (what && (named || cell === EVERY_CELL)) {
		return { rows: rowsOf(named ? cell : null, what), reason: rest.slice(word.length).replace(DASH, '').trim() };
	}
	// What was meant as a row or a size, and is none, must not become the reason for accepting everything.
	const meant = named || LIKE_CELL.test(cell) || what !== undefined || typeof readWhat(cell)?.upTo === 'number';
	return { rows: meant ? undefined : null, reason: text.replace(DASH, '').trim() };
}

function rowsOf(cell: string | null, { kind, upTo }: AcceptedWhat): AcceptedRows {
	return { cell, kind, upTo };
}

/** Whether a later commit can do no more harm under it than was accepted: only that much slower, only that row gone. */
function isBounded(rows: AcceptedRows | null): boolean {
	return rows !== null && (rows.upTo !== null || (rows.cell !== null && rows.kind === 'removed'));
}

/** Returns whether a line (from 1) begins in a paragraph, outside of code, HTML and quotes. */
function findProse(markdown: string): (line: number) => boolean {
	const said = new Set<number>();
	const notSaid = new Set<number>();
	const chunks = preprocess()(markdown, undefined, true);
	for (const [kind, { type, start, end }] of postprocess(
		parse({ extensions: [EXTENSION] })
			.document()
			.write(chunks),
	)) {
		if (kind !== 'enter') continue;
		if (PROSE.includes(type)) addLines(said, start.line, end.line);
		if (NOT_SAID.includes(type)) addLines(notSaid, start.line, end.line);
		if (NOT_SAID_INSIDE.includes(type)) addLines(notSaid, start.line + 1, end.line);
	}
	return (line) => said.has(line) && !notSaid.has(line);
}

function addLines(lines: Set<number>, first: number, last: number): void {
	for (let line = first; line <= last; line++) lines.add(line);
}

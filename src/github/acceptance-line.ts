import { parse, postprocess, preprocess } from 'micromark';

/** What a pull request's body says about accepting a regression. */
export type AcceptanceLine =
	| { readonly reason: string }
	/** The line is there, but does not count. */
	| { readonly problem: 'no-reason' | 'too-long' };

/** Longest reason, in characters. */
export const REASON_LIMIT = 500;
const LINE = /^[ \t]*benchgate:[ \t]*accepted(?=[:\s]|$):?(.*)$/isu;
const PLACEHOLDER = /^<[^<>]*>$/;
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
 * Returns the first line `benchgate: accepted REASON` of a Markdown text that counts; without one the first that does not,
 * with the problem; null when there is none. Lines count as prose only: not in code, in HTML, or in quotes. The reason is
 * the text as written: escape it.
 */
export function parseAcceptance(markdown: string): AcceptanceLine | null {
	const lines = markdown.split(/\r\n|\n|\r/).map((line) => line.slice(0, LINE_LIMIT));
	if (!lines.some((line) => LINE.test(line))) return null;
	const prose = findProse(lines.join('\n'));
	const found = lines.filter((_, index) => prose(index + 1)).flatMap((line) => readLine(line) ?? []);
	return found.find((line) => 'reason' in line) ?? found[0] ?? null;
}

function readLine(line: string): AcceptanceLine | null {
	const match = LINE.exec(line);
	if (!match) return null;
	const reason = (match[1] ?? '').replace(/^[ \t]*[–—-][ \t]/, '').trim();
	// A template's `<reason>` nobody filled in is none.
	if (!/[\p{L}\p{N}]/u.test(reason) || PLACEHOLDER.test(reason)) return { problem: 'no-reason' };
	return [...reason].length > REASON_LIMIT ? { problem: 'too-long' } : { reason };
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

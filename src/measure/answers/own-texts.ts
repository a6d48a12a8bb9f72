/** Ignores text that differs between servers of the same code. */
import type { Sides } from '../../types/units.ts';
import type { Answer } from './answer.ts';

/** Versions, commits and folders of both sides, in pairs. */
export type RevisionNames = readonly Sides<string>[];

const OWN_ORIGIN = '<own origin>';
const LEFT_OUT = '<left out>';
/** In URLs, encoded up to twice, in HTML and in scripts. */
const COLON = '(?::|%(?:25)?3A|&#58;|&#x3A;|&colon;|\\\\u003A|\\\\x3A)';
const OPENING = '(?:\\[|%(?:25)?5B)';
const CLOSING = '(?:\\]|%(?:25)?5D)';
const HOST = `(?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0|${OPENING}(?:${COLON}{2}1|${COLON}{2}ffff${COLON}127\\.0\\.0\\.1|${COLON}{2})${CLOSING})`;
/** Longest match of a `*`, so a server cannot hide a page behind one. */
const MOST_LEFT_OUT = 256;
const WORD_EDGE = /[\s"'`<>]/g;
/** A version in npm's form; shorter ones, such as `1`, could match anything. */
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,64})?$/;
const COMMIT = /^[0-9a-f]{40}$/;
const SHORT_COMMIT = 7;
/** Of checkouts. */
const FOLDER = /^[0-9a-f]{64}$/;

/** Replaces the server's address, so answers from different ports compare equal. */
export function withoutOwnOrigin(answer: Answer, origin: string): Answer {
	const { port } = new URL(origin);
	const address = new RegExp(`${HOST}${COLON}${port}(?!\\d)`, 'gi');
	const replace = (text: string) => unclaimed(text, OWN_ORIGIN).replace(address, OWN_ORIGIN);
	const headers = Object.entries(answer.headers).map(([name, value]) => [name, replace(value)] as const);
	return { ...answer, body: replace(answer.body), headers: Object.fromEntries(headers) };
}

/**
 * Returns a function that replaces matches of `patterns` in linear time. One `*` per pattern matches up to 256
 * characters of a word: as few as possible, or at the pattern's end as many.
 */
export function leaveOut(patterns: readonly string[]): (text: string) => string {
	if (patterns.length === 0) return (text) => text;
	return (text) => {
		const source = unclaimed(text, LEFT_OUT);
		const searches = patterns.map((pattern) => searchFor(pattern, source));
		const parts: string[] = [];
		let at = 0;
		for (;;) {
			const matches = searches.map((next) => next(at));
			const first = matches.reduce((one, two) => (two.start < one.start ? two : one));
			if (first.start === Number.POSITIVE_INFINITY) break;
			parts.push(source.slice(at, first.start), LEFT_OUT);
			at = first.end;
		}
		return parts.join('') + source.slice(at);
	};
}

interface Match {
	readonly start: number;
	readonly end: number;
}

/** `from` must not decrease between calls. */
function searchFor(pattern: string, text: string): (from: number) => Match {
	const none = { start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };
	const [before = '', after] = pattern.split('*');
	const nextBefore = forward((from) => text.indexOf(before, from));
	const nextAfter = forward((from) => text.indexOf(after ?? '', from));
	const nextEdge = forward((from) => {
		WORD_EDGE.lastIndex = from;
		return WORD_EDGE.exec(text)?.index ?? text.length;
	});
	const find = (from: number): Match => {
		for (let at = from; ; ) {
			at = nextBefore(at);
			const star = at + before.length;
			if (star > text.length) return none;
			if (after === undefined) return { start: at, end: star };
			const edge = nextEdge(star);
			const most = Math.min(edge, star + MOST_LEFT_OUT);
			if (after === '') return { start: at, end: most };
			const stop = nextAfter(star);
			if (stop === Number.POSITIVE_INFINITY) return none;
			if (stop <= most) return { start: at, end: stop + after.length };
			// A star before these places cannot reach the stop.
			at = Math.max(at + 1, (edge < stop ? edge + 1 : stop - MOST_LEFT_OUT) - before.length);
		}
	};
	let lastMatch: Match = { start: -1, end: -1 };
	return (from) => {
		if (lastMatch.start < from) lastMatch = find(from);
		return lastMatch;
	};
}

/** Caches the last position, because arguments only increase; -1 becomes infinite. */
function forward(find: (from: number) => number): (from: number) => number {
	let lastPosition = -1;
	return (from) => {
		if (lastPosition < from) {
			const position = find(from);
			lastPosition = position < 0 ? Number.POSITIVE_INFINITY : position;
		}
		return lastPosition;
	};
}

/** Returns names that differ and are unambiguous. */
export function namesOfRevisions(
	revisions: Sides<{ readonly subject?: { readonly version: string }; readonly sha?: string }>,
): RevisionNames {
	const pair = (read: (revision: (typeof revisions)['base']) => string | undefined, form: RegExp) => {
		const [base = '', head = ''] = [read(revisions.base), read(revisions.head)];
		return form.test(base) && form.test(head) && base !== head ? [{ base, head }] : [];
	};
	const commits = pair(({ sha }) => sha, COMMIT);
	const short = ({ base, head }: Sides<string>) => ({
		base: base.slice(0, SHORT_COMMIT),
		head: head.slice(0, SHORT_COMMIT),
	});
	return [...pair(({ subject }) => subject?.version, VERSION), ...commits, ...commits.map(short)];
}

export function namesOfFolders(paths: Sides<string>): RevisionNames {
	const headParts = paths.head.split('/');
	return paths.base.split('/').flatMap((base, at) => {
		const head = headParts[at] ?? '';
		return base !== head && FOLDER.test(base) && FOLDER.test(head) ? [{ base, head }] : [];
	});
}

/** Whether texts are equal apart from revision names. */
export function isSameText(base: string, head: string, names: RevisionNames): boolean {
	if (base === head) return true;
	if (names.length === 0) return false;
	const any = names.map((name) => asPattern(name.base)).join('|');
	// Does not find 1.4.0 in 11.4.0 or 1.4.0.1.
	const parts = base.split(new RegExp(`(?<![\\d.])(${any})(?!\\.?\\d)`));
	let at = 0;
	return (
		parts.every((part, index) => {
			const headName = index % 2 === 1 ? names.find((name) => name.base === part)?.head : undefined;
			const headText = [headName, part].find((text) => text !== undefined && head.startsWith(text, at));
			at += headText?.length ?? 0;
			return headText !== undefined;
		}) && at === head.length
	);
}

/** Prevents a server from forging a placeholder. */
function unclaimed(text: string, stand: string): string {
	return text.replaceAll(stand, '<written by the server itself>');
}

function asPattern(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

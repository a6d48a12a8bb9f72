/** Pure: text by which a server identifies itself in its answers, which differs between two servers that run the same code. */
import type { Sides } from '../../types/units.ts';
import type { Answer } from './answer.ts';

/** Names of each side's revision (version, commit), paired by position. */
export type RevisionNames = readonly Sides<string>[];

/** Placeholder for the address of a server, whatever its port. */
const OWN_ORIGIN = '<own origin>';
/** Placeholder for text removed by an `ignore` pattern of the config. */
const LEFT_OUT = '<left out>';
/** Hosts and colons as written in URLs, in URLs inside a URL (encoded once or twice), in HTML and in scripts. */
const COLON = '(?::|%(?:25)?3A|&#58;|&#x3A;|&colon;|\\\\u003A|\\\\x3A)';
const OPENING = '(?:\\[|%(?:25)?5B)';
const CLOSING = '(?:\\]|%(?:25)?5D)';
const HOST = `(?:127\\.0\\.0\\.1|localhost|0\\.0\\.0\\.0|${OPENING}(?:${COLON}{2}1|${COLON}{2}ffff${COLON}127\\.0\\.0\\.1|${COLON}{2})${CLOSING})`;
/** Longest match of a `*`, so that a server cannot hide a page behind one. */
const MOST_LEFT_OUT = 256;
/** A version in npm's form; shorter ones, such as `1`, could match anything. */
const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][\w.+-]{1,64})?$/;
const COMMIT = /^[0-9a-f]{40}$/;
const SHORT_COMMIT = 7;

/** Replaces the server's address by a placeholder, so that answers from different ports compare equal. */
export function withoutOwnOrigin(answer: Answer, origin: string): Answer {
	const { port } = new URL(origin);
	const address = new RegExp(`${HOST}${COLON}${port}(?!\\d)`, 'gi');
	const replace = (text: string) => unclaimed(text, OWN_ORIGIN).replace(address, OWN_ORIGIN);
	const headers = Object.entries(answer.headers).map(([name, value]) => [name, replace(value)] as const);
	return { ...answer, body: replace(answer.body), headers: Object.fromEntries(headers) };
}

/**
 * Returns a function that replaces matches of `patterns` by a placeholder. A pattern may have one `*`, for up to 256 characters other than
 * white space, quotes and angle brackets. Patterns are no user regular expressions, so no answer can cause catastrophic backtracking.
 */
export function leaveOut(patterns: readonly string[]): (text: string) => string {
	if (patterns.length === 0) return (text) => text;
	const sources = patterns.map((pattern) => {
		const [before = '', after] = pattern.split('*').map(asPattern);
		if (after === undefined) return before;
		return `${before}[^\\s"'\`<>]{0,${MOST_LEFT_OUT}}${after === '' ? '' : `?${after}`}`;
	});
	const matches = new RegExp(sources.join('|'), 'g');
	return (text) => unclaimed(text, LEFT_OUT).replace(matches, LEFT_OUT);
}

/** Returns the names of two revisions that differ and are long enough to be unambiguous. */
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

/** Returns whether two texts are equal apart from the revisions' names, at the same places. */
export function isSameText(base: string, head: string, names: RevisionNames): boolean {
	if (base === head) return true;
	if (names.length === 0) return false;
	const any = names.map((name) => asPattern(name.base)).join('|');
	// 11.4.0 and 1.4.0.1 do not contain the version 1.4.0.
	const parts = base.split(new RegExp(`(?<![\\d.])(${any})(?!\\.?\\d)`));
	let at = 0;
	return (
		parts.every((part, index) => {
			const own = index % 2 === 1 ? names.find((name) => name.base === part)?.head : undefined;
			const found = [own, part].find((text) => text !== undefined && head.startsWith(text, at));
			at += found?.length ?? 0;
			return found !== undefined;
		}) && at === head.length
	);
}

/** Escapes placeholders that a server wrote itself, so that it cannot forge one. */
function unclaimed(text: string, stand: string): string {
	return text.replaceAll(stand, '<written by the server itself>');
}

function asPattern(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

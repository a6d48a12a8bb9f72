import type { Expectation } from '../../types/config.ts';
import type { Fraction } from '../../types/units.ts';
import { type Answer, childPath, isObject, parseDocument, show } from './answer.ts';
import { OF_CONNECTION } from './answers-at-rest.ts';
import { expectedHeaders, isKind, isOptional } from './match-answer.ts';
import { isSameText, leaveOut, type RevisionNames } from './own-texts.ts';
import { findMisfit, leastWhole } from './shape.ts';

export interface Tolerated {
	/** From the base branch's config. */
	readonly expect?: Pick<Expectation, 'json' | 'headers' | 'headersOf' | 'compare' | 'ignore'>;
	/** Answers of other base processes. */
	readonly earlier?: readonly Answer[];
	readonly names?: RevisionNames;
	/** Different programs may send different headers. */
	readonly unrelated?: boolean | undefined;
}

const OF_BODY = [
	...['content-type', 'content-encoding', 'content-language', 'cache-control', 'vary', 'location', 'link'],
] as const;

/** Without these, clients get or cache something else; some cost a hash. Encodings are compared by size. */
const NEEDED: readonly string[] = [
	...OF_BODY.filter((name) => name !== 'content-encoding'),
	...['etag', 'last-modified', 'expires', 'content-digest', 'repr-digest', 'digest', 'content-md5', 'set-cookie'],
];

const OF_LENGTH: readonly string[] = ['content-length', 'transfer-encoding'];

const MOST_NAMED = 8;

/** Of the share that base saves; a lower level of gzip saves more. */
const LEAST_SAVED = 0.5;

/**
 * Returns the first difference as one sentence, or null. Needs two answers of each side. Parts that vary on base, or that
 * `expect.json` names by kind, need only agree in kind, keys and lengths. A part that varies on head alone is a
 * difference.
 */
export function compareAnswers(
	base: readonly Answer[],
	head: readonly Answer[],
	tolerated: Tolerated = {},
): string | null {
	const all = [...base, ...(tolerated.earlier ?? [])];
	if (all.length === 0 || head.length === 0) throw new Error('compareAnswers needs an answer of each side');
	const byStatus = Map.groupBy(all, ({ status }) => status);
	const other = head.find(({ status }) => !byStatus.has(status));
	if (other) return `status ${[...byStatus.keys()].join(' or ')} on base but ${other.status} on head`;
	return firstOf(byStatus, ([status, bases]) => {
		const heads = head.filter((answer) => answer.status === status);
		if (heads.length === 0) return null;
		// A single answer does not show which parts vary.
		if (byStatus.size > 1 && bases.length === 1) return compareSizes(bases, heads);
		const own = base.filter((answer) => answer.status === status).length;
		return compareAlike(bases, heads, { ...tolerated, own });
	});
}

/** `own`: how many come from one process of base, first. */
function compareAlike(
	all: readonly Answer[],
	head: readonly Answer[],
	{ expect = {}, names = [], unrelated = false, own }: Tolerated & { readonly own: number },
): string | null {
	const { compare = 'body' } = expect;
	const expected = expectedHeaders(expect, all[0]?.status ?? 0);
	const isCompared = (name: string) => !isOptional(expected[name]);
	if (compare === 'status') return compareSizes(all, head);
	if (compare === 'headers') return compareHeaders(all, head, isCompared) ?? compareSizes(all, head);
	const other = compareCompression(all, head) ?? (unrelated ? null : compareNeeded(all, head, own, isCompared));
	if (other !== null) return other;
	const read = readingOf(expect.ignore ?? []);
	const [bases, heads] = [all.map(({ body }) => read(body)), head.map(({ body }) => read(body))];
	const documents = [...bases, ...heads].map(({ document }) => document);
	const comparison = new Comparison(names, own);
	if (documents.includes(null)) {
		const texts = (bodies: typeof bases) => bodies.map(({ text }) => text);
		return comparison.compareTexts(texts(bases), texts(heads));
	}
	const values = documents.map((document) => document?.value);
	return comparison.compareValues(values.slice(0, bases.length), values.slice(bases.length), expect.json, '$');
}

/** Removes matching text. A document stays one: only strings and keys change. */
function readingOf(patterns: readonly string[]) {
	const replace = leaveOut(patterns);
	const inside = (value: unknown): unknown => {
		if (typeof value === 'string') return replace(value);
		if (Array.isArray(value)) return value.map(inside);
		if (!isObject(value)) return value;
		return renamed(value, replace, inside);
	};
	return (body: string) => {
		const document = parseDocument(body);
		if (patterns.length === 0) return { text: body, document };
		return { text: replace(body), document: document && { value: inside(document.value) } };
	};
}

/** Numbers keys that become equal, so a document keeps its size. */
function renamed(
	object: Record<string, unknown>,
	rename: (key: string) => string,
	convert: (value: unknown) => unknown,
): Record<string, unknown> {
	const entries = new Map<string, unknown>();
	const counts = new Map<string, number>();
	for (const [key, value] of Object.entries(object)) {
		const name = rename(key);
		let unique = name;
		while (entries.has(unique)) {
			const count = (counts.get(name) ?? 1) + 1;
			counts.set(name, count);
			unique = `${name} ${count}`;
		}
		entries.set(unique, convert(value));
	}
	return Object.fromEntries(entries);
}

function compareNeeded(
	bases: readonly Answer[],
	heads: readonly Answer[],
	own: number,
	isCompared: (name: string) => boolean,
): string | null {
	const needed = NEEDED.filter(isCompared);
	const lacking = onlyIn(bases, heads).filter((name) => needed.includes(name));
	if (lacking.length > 0) return areMissing(lacking);
	const values = (answers: readonly Answer[], name: string) => answers.map(({ headers }) => headers[name]);
	const fixed = needed.find((name) => isFixed(values(bases.slice(0, own), name), values(heads, name)));
	return fixed === undefined ? null : `header ${fixed} ${FIXED}`;
}

function areMissing(names: readonly string[]): string {
	return `header${names.length === 1 ? '' : 's'} ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing on head`;
}

const FIXED = 'differs in each answer of base but not on head';

/** A random id for each answer costs more than a kept one. */
function isFixed(own: readonly unknown[], heads: readonly unknown[]): boolean {
	const isPlain = (each: unknown) => each !== undefined && typeof each !== 'object';
	if (own.length < 2 || heads.length < 2 || ![...own, ...heads].every(isPlain)) return false;
	return new Set(own).size === own.length && new Set(heads).size === 1;
}

/** Returns headers in all of `one` and in fewer than half of `other`, as chance seldom has it. */
function onlyIn(one: readonly Answer[], other: readonly Answer[]): readonly string[] {
	const countWith = (answers: readonly Answer[], name: string) =>
		answers.filter(({ headers }) => Object.hasOwn(headers, name)).length;
	return Object.keys(one[0]?.headers ?? {}).filter(
		(name) =>
			(!OF_CONNECTION.includes(name) || OF_LENGTH.includes(name)) &&
			countWith(one, name) === one.length &&
			2 * countWith(other, name) < other.length,
	);
}

/** Returns which headers only one side sends, as a phrase about head; null if none. */
export function describeOtherHeaders(bases: readonly Answer[], heads: readonly Answer[]): string | null {
	const phrase = (verb: string, names: readonly string[]) => {
		const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
		const shown = names.slice(0, MOST_NAMED).map(show).join(', ');
		return names.length === 0 ? [] : [`${verb} ${shown}${more}`];
	};
	const phrases = [...phrase('leaves out', onlyIn(bases, heads)), ...phrase('adds', onlyIn(heads, bases))];
	return phrases.length === 0 ? null : phrases.join(' and ');
}

function compareHeaders(
	bases: readonly Answer[],
	heads: readonly Answer[],
	isCompared: (name: string) => boolean,
): string | null {
	const usual: Answer['headers'] = bases[0]?.headers ?? {};
	const names = Object.keys(usual).filter(
		(name) =>
			isCompared(name) && !OF_CONNECTION.includes(name) && bases.every(({ headers }) => Object.hasOwn(headers, name)),
	);
	const lacking = names.filter((name) => heads.some(({ headers }) => !Object.hasOwn(headers, name)));
	if (lacking.length > 0) return areMissing(lacking);
	for (const name of names) {
		const isFixed =
			OF_BODY.some((each) => each === name) && bases.every(({ headers }) => headers[name] === usual[name]);
		for (const { headers } of heads) {
			if (isFixed && headers[name] !== usual[name]) {
				return `header ${name} is ${show(usual[name])} on base but ${show(headers[name])} on head`;
			}
		}
	}
	return null;
}

/** Compression can cost more than all other work of an answer. */
function compareCompression(bases: readonly Answer[], heads: readonly Answer[]): string | null {
	const least = Math.min(...bases.map(savedShare));
	const other = heads.find((each) => savedShare(each) < LEAST_SAVED * least);
	if (other === undefined) return null;
	const lengthOf = ({ wireBytes, bytes }: Answer) => `${wireBytes} of ${bytes} bytes`;
	return `body compressed to ${lengthOf(bases[0] as Answer)} on base but to ${lengthOf(other)} on head`;
}

function savedShare({ wireBytes, bytes }: Answer): Fraction {
	return wireBytes === undefined || bytes === 0 ? 0 : Math.max(0, 1 - wireBytes / bytes);
}

/** Head's answers may not be smaller, even if bodies are not compared. */
function compareSizes(bases: readonly Answer[], heads: readonly Answer[]): string | null {
	const lengths = bases.map(({ bytes }) => bytes);
	const least = leastWhole(lengths);
	const short = heads.find(({ bytes }) => bytes < least);
	return short === undefined ? null : `body of ${Math.min(...lengths)} bytes on base but ${short.bytes} on head`;
}

class Comparison {
	readonly #names: RevisionNames;
	readonly #own: number;
	constructor(names: RevisionNames, own: number) {
		this.#names = names;
		this.#own = own;
	}

	compareValues(bases: readonly unknown[], heads: readonly unknown[], expected: unknown, path: string): string | null {
		if (isKind(expected)) return findMisfit(bases, heads, path);
		if (isFixed(bases.slice(0, this.#own), heads)) return `body at ${path} ${FIXED}`;
		const [base] = bases;
		if (bases.every(Array.isArray) && isSame(bases.map(({ length }) => length))) {
			const { length } = base as readonly unknown[];
			const other = heads.find((head) => !Array.isArray(head) || head.length !== length);
			if (other !== undefined) return differ(path, base, other);
			const of = (values: readonly unknown[], index: number) =>
				values.map((each) => (each as readonly unknown[])[index]);
			const expectedAt = (index: number) => (Array.isArray(expected) ? expected[index] : undefined);
			return firstOf(Array(length).keys(), (index) =>
				this.compareValues(of(bases, index), of(heads, index), expectedAt(index), childPath(path, index)),
			);
		}
		if (bases.every(isObject) && isSame(bases.map((each) => JSON.stringify(Object.keys(each).sort())))) {
			const other = heads.find((head) => !isObject(head));
			if (other !== undefined) return differ(path, base, other);
			const objects = heads as readonly Record<string, unknown>[];
			const keys = new Set([...bases, ...objects].flatMap(Object.keys));
			return firstOf(keys, (key) => {
				const at = childPath(path, key);
				const isMissing = [...bases, ...objects].some((each) => !Object.hasOwn(each, key));
				const [one, two] = [bases.map((each) => ownValue(each, key)), objects.map((each) => ownValue(each, key))];
				if (isMissing)
					return differ(
						at,
						one[0],
						two.find((each) => (each === undefined) !== (one[0] === undefined)),
					);
				return this.compareValues(one, two, isObject(expected) ? ownValue(expected, key) : undefined, at);
			});
		}
		if (
			bases.some((each) => typeof each === 'object' && each !== null) ||
			bases.some((each) => !this.#isSame(base, each))
		)
			return findMisfit(bases, heads, path);
		const other = heads.find((head) => !this.#isSame(base, head));
		return other === undefined ? null : differ(path, base, other);
	}

	compareTexts(bases: readonly string[], heads: readonly string[]): string | null {
		const [base = ''] = bases;
		if (bases.every((each) => each === base)) {
			const other = heads.find((head) => !isSameText(base, head, this.#names));
			return other === undefined ? null : differFrom(base, other);
		}
		// Words that vary on base are compared by shape, others literally.
		const words = bases.map(wordsOf);
		if (!isSame(words.map(({ length }) => length))) return findMisfit(bases, heads, '$');
		const [usual = []] = words;
		const all = heads.map(wordsOf);
		const fixed = usual.findIndex((_, index) => {
			const at = (texts: typeof words) => texts.map((each) => each[index]);
			return isFixed(at(words.slice(0, this.#own)), at(all));
		});
		if (fixed >= 0)
			return `body has ${show(all[0]?.[fixed])} in each answer of head, where each of base has another text`;
		for (const head of heads) {
			const headWords = wordsOf(head);
			if (headWords.length !== usual.length) return differFrom(base, head);
			const at = headWords.findIndex((word, index) => {
				const baseWords = words.map((each) => each[index] ?? '');
				return this.compareValues(baseWords, [word], undefined, '$') !== null;
			});
			if (at >= 0)
				return differFrom(usual.slice(at).join(''), headWords.slice(at).join(''), usual.slice(0, at).join('').length);
		}
		return null;
	}

	#isSame(base: unknown, other: unknown): boolean {
		return typeof base === 'string' && typeof other === 'string'
			? isSameText(base, other, this.#names)
			: base === other;
	}
}

/** Characters of random ids do not split words. */
function wordsOf(text: string): readonly string[] {
	return text.match(/[\w+/=.:-]+|[^\w+/=.:-]/g) ?? [];
}

function differ(path: string, base: unknown, head: unknown): string {
	return `body at ${path} is ${show(base)} on base but ${show(head)} on head`;
}

function differFrom(base: string, head: string, offset = 0): string {
	let at = 0;
	while (at < base.length && base[at] === head[at]) at++;
	const place = offset + at + 1;
	return `body differs from character ${place} on: ${show(base.slice(at))} on base but ${show(head.slice(at))} on head`;
}

function isSame(values: readonly (number | string)[]): boolean {
	return new Set(values).size <= 1;
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => string | null): string | null {
	for (const item of items) {
		const misfit = find(item);
		if (misfit !== null) return misfit;
	}
	return null;
}

const ownValue = (object: Record<string, unknown>, key: string) =>
	Object.hasOwn(object, key) ? object[key] : undefined;

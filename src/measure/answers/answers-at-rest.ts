/** Pure: what the answers to a request are like at rest, which those under load are held to. */
import type { Sides } from '../../types/units.ts';
import { MOST_NAMES } from '../generator/reading/answer-head.ts';
import { MAX_BODY, MAX_BYTES } from '../generator/reading/body-keeper.ts';
import type { Answer } from './answer.ts';

/** How bodies come that may be compressed. */
interface Compressed {
	/** Their content-encoding; empty for none. */
	readonly encoding: string;
	/** Their length as they come; null where it varies. */
	readonly bytes: number | null;
}

export interface AtRest {
	/** Status that base answered with each time; null where it varied, or each row has its own. */
	readonly status: number | null;
	/** Body each side answers with, the same both times it was asked, as it is read under load; null where it varies. */
	readonly usual: Sides<string | null>;
	/** Different bodies of both sides, if those of a side vary; absent if none vary, or if they are long or may be compressed. */
	readonly examples?: readonly string[];
	/** Names of the headers that each side's answers have, the same both times; none where each row has its own answer. */
	readonly headers: Sides<readonly string[]>;
	/** Values of those of them that describe the body, by name, where each side had one that was the same both times. */
	readonly values: Sides<Readonly<Record<string, string>>>;
	/** Absent where the request does not ask for compression; null where that cannot be undone under load. */
	readonly compressed?: Sides<Compressed | null>;
}

/** Of a request whose answers are not known. */
export const UNKNOWN: AtRest = {
	status: null,
	usual: { base: null, head: null },
	headers: { base: [], head: [] },
	values: { base: {}, head: {} },
};

/** Headers of a connection, and of how a body is sent on it: they may differ on the next one. */
export const OF_CONNECTION: readonly string[] = [
	'connection',
	'keep-alive',
	'proxy-connection',
	'upgrade',
	'transfer-encoding',
	'content-length',
	'trailer',
];

/** Headers that cost work, or spare it: what else a header says may change by itself (a date, the number of a request). */
const OF_BODY = [
	'etag',
	'content-type',
	'content-encoding',
	'content-language',
	'cache-control',
	'vary',
	'location',
] as const;

/** Returns what the answers of both sides have in common each; `status` is that of those that are compared under load. */
export function describeAtRest(
	answers: Sides<readonly Answer[]>,
	status: number | undefined,
	isCompressing: boolean,
): AtRest {
	const of = <T>(read: (own: readonly Answer[]) => T): Sides<T> => ({
		base: read(answers.base),
		head: read(answers.head),
	});
	// Under load only answers with this status are compared: what others say is no measure for them.
	const ofStatus = of((own) => (own.every((answer) => answer.status === status) ? own : []));
	const usual = { base: usualBody(ofStatus.base, isCompressing), head: usualBody(ofStatus.head, isCompressing) };
	const examples = new Set([...ofStatus.base, ...ofStatus.head].map(textUnderLoad));
	const isVaried =
		!isCompressing && Object.values(usual).includes(null) && ofStatus.base.length > 0 && ofStatus.head.length > 0;
	const values = { base: usualValues(ofStatus.base), head: usualValues(ofStatus.head) };
	const keep = (own: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>) =>
		Object.fromEntries(Object.entries(own).filter(([name]) => Object.hasOwn(other, name)));
	return {
		// A head that varies its own cannot keep it from being compared.
		status: sameOf(answers.base.map((answer) => answer.status)) ?? null,
		usual,
		...(isVaried && [...examples].every(({ length }) => length < MAX_BODY) && { examples: [...examples] }),
		headers: { base: usualHeaders(ofStatus.base), head: usualHeaders(ofStatus.head) },
		// What only one side has, or has always the same, may change with time and not with load: nothing would show that.
		values: { base: keep(values.base, values.head), head: keep(values.head, values.base) },
		...(isCompressing && { compressed: of((own) => howCompressed(own, status)) }),
	};
}

/** Returns what is known of a request where each row of a data file has its own answer: how those may be compressed. */
export function describeRow(answers: Sides<readonly Answer[]>, isCompressing: boolean): AtRest {
	if (!isCompressing) return UNKNOWN;
	const of = ([first]: readonly Answer[]): Compressed => ({
		encoding: first?.headers['content-encoding'] ?? '',
		bytes: null,
	});
	return { ...UNKNOWN, compressed: { base: of(answers.base), head: of(answers.head) } };
}

/** The body that all answers have; what may come compressed is read as it is at rest (`readCompressed`). */
function usualBody(answers: readonly Answer[], isCompressing: boolean): string | null {
	const [first] = answers;
	if (first === undefined || sameOf(answers.map((answer) => answer.body)) === undefined) return null;
	const body = isCompressing ? first.body : textUnderLoad(first);
	// Where a longer one is cut off in the middle of a character, its length is not known.
	return first.bytes > MAX_BYTES && !/^\p{ASCII}*$/u.test(body) ? null : body;
}

/** Returns a body as the generator reads it: what is not UTF-8 stands as Latin-1 at rest, and is replaced under load. */
export function textUnderLoad({ body, bytes }: Pick<Answer, 'body' | 'bytes'>): string {
	// In UTF-8 every character beyond ASCII has more bytes than UTF-16 has units.
	return body.length === bytes ? Buffer.from(body, 'latin1').toString('utf8') : body;
}

/** Names that all answers have. Others than of these characters are not looked for under load. */
function usualHeaders([first, ...others]: readonly Answer[]): readonly string[] {
	return Object.keys(first?.headers ?? {})
		.filter((name) => /^[a-z\d-]+$/.test(name) && !OF_CONNECTION.includes(name))
		.filter((name) => others.every(({ headers }) => Object.hasOwn(headers, name)))
		.slice(0, MOST_NAMES);
}

/** What stands on several lines is compared line by line under load, and is no value here. */
function usualValues(answers: readonly Answer[]): Readonly<Record<string, string>> {
	return Object.fromEntries(
		OF_BODY.flatMap((name) => {
			if (answers.some(({ repeated = [] }) => repeated.includes(name))) return [];
			const value = sameOf(answers.map(({ headers }) => headers[name]));
			return value === undefined ? [] : [[name, value] as const];
		}),
	);
}

/** Null where answers differ in this, or are so large that they are cut off under load. */
function howCompressed(answers: readonly Answer[], status: number | undefined): Compressed | null {
	const encoding = sameOf(answers.map(({ headers }) => headers['content-encoding'] ?? ''));
	const isLarge = answers.some(({ body, wireBytes = 0 }) => body.length > MAX_BODY || wireBytes > MAX_BODY);
	const isOther = answers.some((answer) => answer.status !== status);
	if (encoding === undefined || isLarge || isOther) return null;
	return { encoding, bytes: sameOf(answers.map(({ wireBytes }) => wireBytes)) ?? null };
}

/** What all are; undefined when they differ, or there is none. */
function sameOf<T>(all: readonly T[]): T | undefined {
	const [one, ...others] = new Set(all);
	return others.length > 0 ? undefined : one;
}

/** Usual answers at rest, which those under load must match. */
import type { Sides } from '../../types/units.ts';
import { MOST_NAMES } from '../generator/reading/answer-head.ts';
import { MAX_BODY, MAX_BYTES } from '../generator/reading/body-keeper.ts';
import type { Answer } from './answer.ts';

interface Compressed {
	readonly encoding: string;
	/** Size as received; null if it varies. */
	readonly bytes: number | null;
}

export interface AtRest {
	/** Base's status; null if it varied or rows have their own. */
	readonly status: number | null;
	/** Bodies as decoded under load; null if they vary. */
	readonly usual: Sides<string | null>;
	/** Bodies, if they vary; absent if long or possibly compressed. */
	readonly examples?: readonly string[];
	/** Names of headers that both sides send, one of them always. */
	readonly headers: Sides<readonly string[]>;
	/** Constant values of headers that describe the body. */
	readonly values: Sides<Readonly<Record<string, string>>>;
	/** Absent without compression; null if it cannot be undone under load. */
	readonly compressed?: Sides<Compressed | null>;
}

export const UNKNOWN: AtRest = {
	status: null,
	usual: { base: null, head: null },
	headers: { base: [], head: [] },
	values: { base: {}, head: {} },
};

/** Headers of connection and transfer, which may differ on the next connection. */
export const OF_CONNECTION: readonly string[] = [
	'connection',
	'keep-alive',
	'proxy-connection',
	'upgrade',
	'transfer-encoding',
	'content-length',
	'trailer',
];

/** Headers that cost or save work. Others, such as a date, may change by themselves. */
const OF_BODY = [
	'etag',
	'content-type',
	'content-encoding',
	'content-language',
	'cache-control',
	'vary',
	'location',
] as const;

/** Returns each side's usual answers. Only those with `status` are compared under load. */
export function describeAtRest(
	answers: Sides<readonly Answer[]>,
	status: number | undefined,
	isCompressing: boolean,
): AtRest {
	const of = <T>(read: (sideAnswers: readonly Answer[]) => T): Sides<T> => ({
		base: read(answers.base),
		head: read(answers.head),
	});
	const ofStatus = of((sideAnswers) => (sideAnswers.every((answer) => answer.status === status) ? sideAnswers : []));
	const usual = { base: usualBody(ofStatus.base, isCompressing), head: usualBody(ofStatus.head, isCompressing) };
	const examples = new Set([...ofStatus.base, ...ofStatus.head].map(textUnderLoad));
	const isVaried =
		!isCompressing && Object.values(usual).includes(null) && ofStatus.base.length > 0 && ofStatus.head.length > 0;
	const values = { base: usualValues(ofStatus.base), head: usualValues(ofStatus.head) };
	const keep = (sideValues: Readonly<Record<string, string>>, otherValues: Readonly<Record<string, string>>) =>
		Object.fromEntries(Object.entries(sideValues).filter(([name]) => Object.hasOwn(otherValues, name)));
	return {
		// Only base counts: head could vary its status to avoid the comparison.
		status: sameOf(answers.base.map((answer) => answer.status)) ?? null,
		usual,
		...(isVaried && [...examples].every(({ length }) => length < MAX_BODY) && { examples: [...examples] }),
		headers: headersOf(ofStatus),
		// A value constant on one side only may change with time, not load.
		values: { base: keep(values.base, values.head), head: keep(values.head, values.base) },
		...(isCompressing && { compressed: of((sideAnswers) => howCompressed(sideAnswers, status)) }),
	};
}

/** Describes only headers and compression, because each row has its own answer. */
export function describeRow(answers: Sides<readonly Answer[]>, isCompressing: boolean): AtRest {
	const atRest = { ...UNKNOWN, headers: headersOf(answers) };
	if (!isCompressing) return atRest;
	const of = ([first]: readonly Answer[]): Compressed => ({
		encoding: first?.headers['content-encoding'] ?? '',
		bytes: null,
	});
	return { ...atRest, compressed: { base: of(answers.base), head: of(answers.head) } };
}

/** Bodies that may be compressed are decoded as at rest (`readCompressed`). */
function usualBody(answers: readonly Answer[], isCompressing: boolean): string | null {
	const [first] = answers;
	if (first === undefined || sameOf(answers.map((answer) => answer.body)) === undefined) return null;
	const body = isCompressing ? first.body : textUnderLoad(first);
	// The length of a longer body that is cut within a character is unknown.
	return first.bytes > MAX_BYTES && !/^\p{ASCII}*$/u.test(body) ? null : body;
}

/** Returns a body as read under load, where invalid UTF-8 is replaced; at rest it is Latin-1. */
export function textUnderLoad({ body, bytes }: Pick<Answer, 'body' | 'bytes'>): string {
	// In UTF-8 every character beyond ASCII has more bytes than UTF-16 has units.
	return body.length === bytes ? Buffer.from(body, 'latin1').toString('utf8') : body;
}

function headersOf({ base, head }: Sides<readonly Answer[]>): AtRest['headers'] {
	return { base: usualHeaders(base, head), head: usualHeaders(head, base) };
}

/** Only these names are looked for under load. Head alone could send more. */
function usualHeaders(own: readonly Answer[], other: readonly Answer[]): readonly string[] {
	const has = (name: string) => (answer: Answer) => Object.hasOwn(answer.headers, name);
	const isUsual = (name: string) =>
		other.length === 0
			? own.every(has(name))
			: other.some(has(name)) && (own.every(has(name)) || other.every(has(name)));
	return [...new Set(own.flatMap(({ headers }) => Object.keys(headers)))]
		.filter((name) => /^[a-z\d-]+$/.test(name) && !OF_CONNECTION.includes(name) && isUsual(name))
		.slice(0, MOST_NAMES);
}

/** Repeated headers are left out, because under load they are compared line by line. */
function usualValues(answers: readonly Answer[]): Readonly<Record<string, string>> {
	return Object.fromEntries(
		OF_BODY.flatMap((name) => {
			if (answers.some(({ repeated = [] }) => repeated.includes(name))) return [];
			const value = sameOf(answers.map(({ headers }) => headers[name]));
			return value === undefined ? [] : [[name, value] as const];
		}),
	);
}

/** Null if answers differ, or are cut off under load. */
function howCompressed(answers: readonly Answer[], status: number | undefined): Compressed | null {
	const encoding = sameOf(answers.map(({ headers }) => headers['content-encoding'] ?? ''));
	const isLarge = answers.some(({ body, wireBytes = 0 }) => body.length > MAX_BODY || wireBytes > MAX_BODY);
	const isOther = answers.some((answer) => answer.status !== status);
	if (encoding === undefined || isLarge || isOther) return null;
	return { encoding, bytes: sameOf(answers.map(({ wireBytes }) => wireBytes)) ?? null };
}

function sameOf<T>(all: readonly T[]): T | undefined {
	const [one, ...others] = new Set(all);
	return others.length > 0 ? undefined : one;
}

/** Pure: do both sides answer the same? */
import { type Answer, childPath, isObject, parseDocument, show } from './answer.ts';

interface Difference {
	readonly path: string;
	readonly left: unknown;
	readonly right: unknown;
}

/**
 * Returns null when both sides answer the same request alike, else one sentence naming the first difference. Takes two or more
 * answers of each side: what already differs between answers of one side (times, counters, random ids) is dynamic and not
 * compared. Bodies that are JSON on all sides are compared as documents, others as text; headers are not compared.
 */
export function compareAnswers(base: readonly Answer[], head: readonly Answer[]): string | null {
	const [baseFirst] = base;
	const [headFirst] = head;
	if (!baseFirst || !headFirst) throw new Error('compareAnswers needs an answer of each side');
	if (varies(base, statusOf) || varies(head, statusOf)) return null;
	if (baseFirst.status !== headFirst.status) {
		return `status ${baseFirst.status} on base but ${headFirst.status} on head`;
	}
	const baseDocuments = parseAll(base);
	const headDocuments = parseAll(head);
	if (baseDocuments && headDocuments) return compareDocuments(baseDocuments, headDocuments);
	return compareTexts(base, head);
}

function compareDocuments(base: readonly unknown[], head: readonly unknown[]): string | null {
	const dynamic = new Set([...pathsThatVary(base), ...pathsThatVary(head)]);
	const [difference] = findDifferences(base[0], head[0], '$', dynamic);
	if (!difference) return null;
	return `body at ${difference.path} is ${show(difference.left)} on base but ${show(difference.right)} on head`;
}

function pathsThatVary(documents: readonly unknown[]): string[] {
	const [first, ...others] = documents;
	return others.flatMap((other) => findDifferences(first, other, '$', new Set()).map((difference) => difference.path));
}

/** Every place where the documents differ, in document order; arrays of different length differ as a whole. */
function findDifferences(left: unknown, right: unknown, path: string, ignored: ReadonlySet<string>): Difference[] {
	if (ignored.has(path)) return [];
	if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
		return left.flatMap((item, index) => findDifferences(item, right[index], childPath(path, index), ignored));
	}
	if (isObject(left) && isObject(right)) {
		const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
		return [...keys].flatMap((key) => findDifferences(own(left, key), own(right, key), childPath(path, key), ignored));
	}
	const bothArrays = Array.isArray(left) && Array.isArray(right);
	return !bothArrays && left === right ? [] : [{ path, left, right }];
}

function compareTexts(base: readonly Answer[], head: readonly Answer[]): string | null {
	if (varies(base, bodyOf) || varies(head, bodyOf)) return null;
	const left = base[0]?.body ?? '';
	const right = head[0]?.body ?? '';
	if (left === right) return null;
	const at = firstDifference(left, right);
	return `body differs from character ${at + 1} on: ${show(left.slice(at))} on base but ${show(right.slice(at))} on head`;
}

function firstDifference(left: string, right: string): number {
	let at = 0;
	while (at < left.length && left[at] === right[at]) at++;
	return at;
}

function parseAll(answers: readonly Answer[]): unknown[] | null {
	const documents = answers.map((answer) => parseDocument(answer.body));
	return documents.some((document) => document === null) ? null : documents.map((document) => document?.value);
}

function varies<T>(answers: readonly Answer[], read: (answer: Answer) => T): boolean {
	return new Set(answers.map(read)).size > 1;
}

const statusOf = (answer: Answer) => answer.status;
const bodyOf = (answer: Answer) => answer.body;
const own = (object: Record<string, unknown>, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Common shape of varying values: kinds, keys and lengths. */
import { childPath, isObject, show, writeJson } from './answer.ts';

type Kind = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object' | 'nothing';

interface Range {
	readonly least: number;
	readonly most: number;
}

interface Shape {
	readonly kinds: ReadonlySet<Kind>;
	readonly text: Range | null;
	readonly list: { readonly length: Range; readonly item: Shape } | null;
	readonly object: {
		readonly size: Range;
		readonly always: ReadonlyMap<string, Shape>;
		/** Shape at all other keys. */
		readonly sometimes: Shape | null;
	} | null;
}

/** Characters by which short texts, such as a process id, may differ. */
const SLACK = 2;
/** Least allowed length, as a share of the shortest seen. */
const LEAST_OF_RANGE = 0.5;
/** Further share for a whole value, because items of a list differ in length. */
const LEAST_WHOLE = 0.9;

/**
 * Returns null if `values` have the kinds, keys and lengths of base's, else a phrase about the first misfit. Lengths
 * may exceed base's range by its width (a text's by two characters at least), but not fall below half the least; a list
 * or object, as JSON, not below nine tenths of that. Without `withLengths` only kinds and keys count.
 */
export function findMisfit(
	bases: readonly unknown[],
	values: readonly unknown[],
	path: string,
	withLengths = true,
): string | null {
	const shape = shapeOf(bases);
	const least = leastWhole(bases.map(lengthOf));
	for (const value of values) {
		const misfit = findPart(shape, value, path, withLengths);
		if (misfit !== null) return misfit;
		if (!withLengths) continue;
		const length = lengthOf(value);
		if (typeof value !== 'object' || length >= least) continue;
		return `body at ${path} has ${words(rangeOf(bases.map(lengthOf)))} characters on base but ${length} on head`;
	}
	return null;
}

export function leastWhole(lengths: readonly number[]): number {
	return LEAST_WHOLE * widened(rangeOf(lengths), 0).least;
}

export function kindOf(value: unknown): Kind {
	if (value === undefined) return 'nothing';
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'list';
	if (isObject(value)) return 'object';
	if (typeof value === 'string') return 'text';
	return typeof value === 'boolean' ? 'boolean' : 'number';
}

function shapeOf(values: readonly unknown[]): Shape {
	const texts = values.filter((value) => typeof value === 'string');
	const lists = values.filter((value) => Array.isArray(value));
	const objects = values.filter(isObject);
	return {
		kinds: new Set(values.map(kindOf)),
		text: texts.length === 0 ? null : rangeOf(texts.map(({ length }) => length)),
		list:
			lists.length === 0 ? null : { length: rangeOf(lists.map(({ length }) => length)), item: shapeOf(lists.flat()) },
		object: objects.length === 0 ? null : shapeOfObjects(objects),
	};
}

function shapeOfObjects(objects: readonly Record<string, unknown>[]): NonNullable<Shape['object']> {
	const keys = new Set(objects.flatMap(Object.keys));
	const isAlways = (key: string) => objects.every((object) => Object.hasOwn(object, key));
	const always = [...keys].filter(isAlways);
	const others = [...keys].filter((key) => !isAlways(key));
	const valuesAt = (key: string) => objects.flatMap((object) => (Object.hasOwn(object, key) ? [object[key]] : []));
	return {
		size: rangeOf(objects.map((object) => Object.keys(object).length)),
		always: new Map(always.map((key) => [key, shapeOf(valuesAt(key))])),
		sometimes: others.length === 0 ? null : shapeOf(others.flatMap(valuesAt)),
	};
}

function findPart(shape: Shape, value: unknown, path: string, withLengths: boolean): string | null {
	const kind = kindOf(value);
	if (!shape.kinds.has(kind)) {
		return `body at ${path} is ${[...shape.kinds].join(' or ')} on base but ${kind} on head (${show(value)})`;
	}
	if (typeof value === 'string' && shape.text && withLengths) {
		const { least, most } = widened(shape.text, SLACK);
		if (value.length >= least && value.length <= most) return null;
		return `body at ${path} has ${words(shape.text)} characters on base but ${value.length} on head`;
	}
	if (Array.isArray(value) && shape.list) return findInList(shape.list, value, path, withLengths);
	if (isObject(value) && shape.object) return findInObject(shape.object, value, path, withLengths);
	return null;
}

function findInList(
	{ length, item }: NonNullable<Shape['list']>,
	list: readonly unknown[],
	path: string,
	withLengths: boolean,
): string | null {
	if (withLengths && !isWithin(length, list.length))
		return `body at ${path} has ${words(length)} items on base but ${list.length} on head`;
	for (const [index, each] of list.entries()) {
		const misfit = findPart(item, each, childPath(path, index), withLengths);
		if (misfit !== null) return misfit;
	}
	return null;
}

function findInObject(
	{ size, always, sometimes }: NonNullable<Shape['object']>,
	object: Record<string, unknown>,
	path: string,
	withLengths: boolean,
): string | null {
	const keys = Object.keys(object);
	for (const [key, shape] of always) {
		const at = childPath(path, key);
		if (!Object.hasOwn(object, key)) return `body at ${at} is missing on head`;
		const misfit = findPart(shape, object[key], at, withLengths);
		if (misfit !== null) return misfit;
	}
	for (const key of keys.filter((each) => !always.has(each))) {
		const at = childPath(path, key);
		if (sometimes === null) return `body at ${at} is nothing on base but ${show(object[key])} on head`;
		const misfit = findPart(sometimes, object[key], at, withLengths);
		if (misfit !== null) return misfit;
	}
	return !withLengths || isWithin(size, keys.length)
		? null
		: `body at ${path} has ${words(size)} keys on base but ${keys.length} on head`;
}

function rangeOf(numbers: readonly number[]): Range {
	let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const number of numbers) {
		least = Math.min(least, number);
		most = Math.max(most, number);
	}
	return { least, most };
}

/** Few answers do not show the whole range. Without the floor, widening would admit nearly empty values. */
function widened({ least, most }: Range, atLeast: number): Range {
	const more = Math.max(most - least, atLeast);
	return { least: Math.max(least - more, LEAST_OF_RANGE * least), most: most + more };
}

function isWithin(range: Range, value: number): boolean {
	const { least, most } = widened(range, 0);
	return value >= least && value <= most;
}

function words({ least, most }: Range): string {
	return least === most ? `${least}` : `${least} to ${most}`;
}

function lengthOf(value: unknown): number {
	return value === undefined ? 0 : writeJson(value).length;
}

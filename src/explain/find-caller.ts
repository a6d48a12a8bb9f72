/** Which changed function calls another one. */
import type { Script } from '../impact/canonical.ts';
import type { Unit } from '../impact/scopes.ts';
import { isNode, keyOf, nameOf, type SyntaxNode, withoutParentheses } from '../impact/syntax.ts';
import type { CountedRepeat } from '../types/explain/counts.ts';

/** Bounds the search in bundles. */
const LONGEST_CALLER = 20_000;
/** Methods of these are called on many objects, and those of Node's streams and servers too. */
const BUILT_IN = [Array, String, Map, Set, Promise, Function, RegExp, Date, Number, Object];
const OF_NODE =
	'addListener close destroy emit end getHeader off on once pause pipe read resume setHeader write writeHead';
const COMMON = new Set([
	...BUILT_IN.flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)),
	...OF_NODE.split(' '),
]);

export interface Code {
	readonly script: Script;
	readonly unit: Unit;
}

/** Returns how many functions of each name ran in head. */
export function countNames(repeats: readonly CountedRepeat[]): ReadonlyMap<string, number> {
	const places = repeats.flatMap(({ head }) =>
		head.scripts.flatMap(({ path, functions }) =>
			functions.flatMap(([start, , name, , during]) =>
				during > 0 ? [[lastOf(name), `${path} ${start}`] as const] : [],
			),
		),
	);
	return new Map(
		[...Map.groupBy(places, ([name]) => name)].map(([name, all]) => [name, new Set(all.map(([, at]) => at)).size]),
	);
}

/**
 * Returns the innermost of `callers` that surely calls a function: by a name that its script declares or imports, or
 * as a method whose name no other function has that ran.
 */
export function findCaller<C extends Code>(
	{ script, unit }: Code,
	callers: readonly C[],
	names: ReadonlyMap<string, number>,
): C | null {
	if (isCallback(unit)) return null;
	const name = lastOf(unit.name);
	const isClear = (names.get(name) ?? 0) <= 1 && !COMMON.has(name);
	const isDeclared = (caller: Script) => caller === script || caller.topScope.bindings.has(name);
	const isCalled = (caller: Script) => (callee: SyntaxNode) =>
		nameOf(callee) === name
			? isDeclared(caller)
			: isClear && callee.type === 'MemberExpression' && keyOf(callee) === name;
	const [nearest] = callers
		.filter((each) => each.unit !== unit && sizeOf(each.unit) <= LONGEST_CALLER)
		.filter((each) => hasCall(each.unit.node, isCalled(each.script)))
		.toSorted((a, b) => sizeOf(a.unit) - sizeOf(b.unit));
	return nearest ?? null;
}

/** Nothing calls it by a name. */
function isCallback({ name }: Unit): boolean {
	return name === 'anonymous' || / callback$|\)$/.test(name);
}

function lastOf(name: string): string {
	return name.slice(name.lastIndexOf('.') + 1);
}

function sizeOf({ start, end }: Unit): number {
	return end - start;
}

function hasCall(value: unknown, isCalled: (callee: SyntaxNode) => boolean): boolean {
	if (Array.isArray(value)) return value.some((each) => hasCall(each, isCalled));
	if (!isNode(value)) return false;
	const callee =
		value.type === 'CallExpression' || value.type === 'NewExpression' ? withoutParentheses(value.callee) : null;
	return (isNode(callee) && isCalled(callee)) || Object.values(value).some((each) => hasCall(each, isCalled));
}

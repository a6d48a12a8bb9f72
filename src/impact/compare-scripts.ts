/** Functions and statements that differ between two versions of a script. */
import { nodeModule, type Script, type Statement } from './canonical.ts';
import { isFunction, type Unit } from './scopes.ts';
import { isNode, keyOf, nameOf, nodesOf, requiredBy, type SyntaxNode, stringOf, withoutParentheses } from './syntax.ts';

export type ScriptChangeKind = 'function' | 'top-level' | 'declaration' | 'file';

/** A change matters to a cell that loads the script; runs a function; runs code that uses a name, or lacks a module. */
export type Trigger =
	| { readonly when: 'load' }
	| { readonly when: 'run'; readonly unit: Unit }
	| {
			readonly when: 'mention';
			readonly names: readonly string[];
			readonly modules: readonly string[];
			readonly units: readonly Unit[];
	  };

export interface ScriptChange {
	readonly kind: ScriptChangeKind;
	readonly name: string;
	readonly side: 'base' | 'head';
	readonly line: number;
	readonly trigger: Trigger;
}

export interface ComparedScript {
	readonly changes: readonly ScriptChange[];
	/** Used by unchanged statements of the top level. */
	readonly topNames: ReadonlySet<string>;
}

/** `moduleOf` resolves `./x` if reading its exports has no effects. */
export interface ScriptPair {
	readonly base: Script;
	readonly head: Script;
	readonly moduleOf: (specifier: string) => string | null;
}

const MOST_PAIRS = 4_000_000;

/** Returns the change of a file that cannot be compared in parts. */
export function wholeChange(): ComparedScript {
	return { changes: [whole()], topNames: new Set() };
}

function whole(): ScriptChange {
	return { kind: 'file', name: '', side: 'head', line: 1, trigger: { when: 'load' } };
}

export function compareScripts(pair: ScriptPair): ComparedScript {
	const { base, head } = pair;
	if (base.kind !== head.kind) return wholeChange();
	const parts = align(base.statements, head.statements);
	if (!parts) return wholeChange();
	const changes = [
		...parts.same.flatMap(([one, other]) => changedStatement(pair, one, other)),
		...topChanges(pair, parts),
	];
	const unsure = (base.dynamic || head.dynamic) && changes.length > 0;
	return unsure ? wholeChange() : { changes, topNames: namesOf(base, parts.same) };
}

interface Alignment {
	readonly same: readonly (readonly [Statement, Statement])[];
	readonly removed: readonly Statement[];
	readonly added: readonly Statement[];
}

/** Aligns function declarations by name, as they are hoisted, and the rest in order. */
function align(base: readonly Statement[], head: readonly Statement[]): Alignment | null {
	const [mine, theirs] = [hoisted(base), hoisted(head)];
	const rest = alignInOrder(
		base.filter((each) => !mine.has(each)),
		head.filter((each) => !theirs.has(each)),
	);
	if (!rest) return null;
	const named = new Map([...theirs].map(([each, name]) => [`${name} ${each.text}`, each]));
	const same = [...rest.same];
	const [removed, added] = [[...rest.removed], new Set([...rest.added, ...theirs.keys()])];
	for (const [one, name] of mine) {
		const other = named.get(`${name} ${one.text}`);
		if (!other) removed.push(one);
		else {
			same.push([one, other]);
			added.delete(other);
		}
	}
	return { same, removed, added: [...added] };
}

function hoisted(statements: readonly Statement[]): ReadonlyMap<Statement, string> {
	const declared = Map.groupBy(
		statements.flatMap(({ node }) => namesDeclared(node)),
		(name) => name,
	);
	return new Map(
		statements.flatMap((each) => {
			const name = each.node.type === 'FunctionDeclaration' ? nameOf(each.node.id) : null;
			return name !== null && declared.get(name)?.length === 1 ? [[each, name] as const] : [];
		}),
	);
}

/** The longest common subsequence. */
function alignInOrder(base: readonly Statement[], head: readonly Statement[]): Alignment | null {
	let first = 0;
	while (first < base.length && first < head.length && base[first]?.text === head[first]?.text) first += 1;
	let [a, b] = [base.length, head.length];
	while (a > first && b > first && base[a - 1]?.text === head[b - 1]?.text) [a, b] = [a - 1, b - 1];
	const [mine, theirs] = [base.slice(first, a), head.slice(first, b)];
	if (mine.length * theirs.length > MOST_PAIRS) return null;
	const pairs = commonOf(mine, theirs);
	const [kept, met] = [new Set(pairs.map(([one]) => one)), new Set(pairs.map(([, other]) => other))];
	const outside = (at: number, end: number, from: number) =>
		base.slice(at, end).map((one, index) => [one, head[from + index] as Statement] as const);
	return {
		same: [...outside(0, first, 0), ...pairs, ...outside(a, base.length, b)],
		removed: mine.filter((each) => !kept.has(each)),
		added: theirs.filter((each) => !met.has(each)),
	};
}

function commonOf(
	base: readonly Statement[],
	head: readonly Statement[],
): readonly (readonly [Statement, Statement])[] {
	const width = head.length + 1;
	const lengths = new Uint32Array((base.length + 1) * width);
	const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
	for (let i = base.length - 1; i >= 0; i -= 1) {
		for (let j = head.length - 1; j >= 0; j -= 1) {
			const equal = base[i]?.text === head[j]?.text;
			lengths[i * width + j] = equal ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
		}
	}
	const pairs: (readonly [Statement, Statement])[] = [];
	let [i, j] = [0, 0];
	while (i < base.length && j < head.length) {
		const [one, other] = [base[i] as Statement, head[j] as Statement];
		if (one.text === other.text) {
			pairs.push([one, other]);
			[i, j] = [i + 1, j + 1];
		} else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
		else j += 1;
	}
	return pairs;
}

function namesDeclared(node: SyntaxNode): readonly string[] {
	if (node.type === 'VariableDeclaration') {
		return nodesOf(node.declarations).flatMap(({ id }) => namesOfPattern(id));
	}
	if (node.type === 'ImportDeclaration') return nodesOf(node.specifiers).flatMap(({ local }) => nameOf(local) ?? []);
	return nodesOf(node.id).flatMap((id) => nameOf(id) ?? []);
}

function namesOfPattern(pattern: unknown): readonly string[] {
	if (!isNode(pattern)) return [];
	if (pattern.type !== 'ObjectPattern') return [nameOf(pattern) ?? ''];
	return nodesOf(pattern.properties).map((property) => nameOf(property.value) ?? '');
}

function namesOf({ topNames }: Script, same: Alignment['same']): ReadonlySet<string> {
	return new Set(same.flatMap(([{ node }]) => [...(topNames.get(node) ?? [])]));
}

function changedStatement(pair: ScriptPair, one: Statement, other: Statement): readonly ScriptChange[] {
	return one.units.flatMap((unit, index) => changedUnits(pair, unit, other.units[index]));
}

/** The outermost functions that differ. */
function changedUnits(pair: ScriptPair, base: Unit, head: Unit | undefined): readonly ScriptChange[] {
	if (!head) return [whole()];
	if (pair.base.codeOf(base) !== pair.head.codeOf(head)) {
		return [changeOf('function', head.name, pair.head, head.start, { when: 'run', unit: base })];
	}
	return base.children.flatMap((child, index) => changedUnits(pair, child, head.children[index]));
}

function changeOf(
	kind: ScriptChangeKind,
	name: string,
	script: Script,
	at: number,
	trigger: Trigger,
	side: 'base' | 'head' = 'head',
): ScriptChange {
	return { kind, name, side, line: script.lineAt(at), trigger };
}

function topChanges(pair: ScriptPair, parts: Alignment): readonly ScriptChange[] {
	const moved = loadsMoved(pair);
	const kinds = { base: kindsDeclared(parts.removed), head: kindsDeclared(parts.added) };
	const changeIn = (side: 'base' | 'head', { node, units }: Statement): ScriptChange => {
		const [mine, other] = side === 'base' ? [kinds.base, kinds.head] : [kinds.head, kinds.base];
		const sameKind = namesDeclared(node).every((name) => (other.get(name) ?? mine.get(name)) === mine.get(name));
		const inert = sameKind ? inertPart(pair, node, pair[side], moved) : null;
		const trigger: Trigger = inert
			? { when: 'mention', ...inert, units: side === 'base' ? units : [] }
			: { when: 'load' };
		const names = namesDeclared(node);
		const listed = names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
		const name = units.length === 1 ? units[0]?.name : listed;
		return changeOf(inert ? 'declaration' : 'top-level', name || 'top level', pair[side], node.start, trigger, side);
	};
	return [
		...parts.removed.map((statement) => changeIn('base', statement)),
		...parts.added.map((statement) => changeIn('head', statement)),
		...reusedNames(pair, parts),
	];
}

function kindsDeclared(statements: readonly Statement[]): ReadonlyMap<string, string> {
	return new Map(
		statements.flatMap(({ node }) =>
			namesDeclared(node).map((name) => [name, String(node.kind ?? node.type)] as const),
		),
	);
}

/** Variables that nested functions capture or reassign in another way. */
function reusedNames({ base, head }: ScriptPair, { same, removed, added }: Alignment): readonly ScriptChange[] {
	const anew = new Set([...removed, ...added].flatMap(({ node }) => namesDeclared(node)));
	const declared = new Map(same.flatMap(([, { node }]) => namesDeclared(node).map((name) => [name, node.start])));
	return [...base.topScope.bindings.keys()]
		.filter((name) => head.topScope.bindings.has(name) && !anew.has(name) && base.useOf(name) !== head.useOf(name))
		.map((name) => changeOf('top-level', name, head, declared.get(name) ?? 0, { when: 'load' }));
}

interface Inert {
	readonly names: readonly string[];
	readonly modules: readonly string[];
}

/** Modules that one side alone loads, or all if their order differs. */
function loadsMoved({ base, head }: ScriptPair): ReadonlySet<string> {
	const [mine, theirs] = [new Set(base.loads), new Set(head.loads)];
	const common = [...mine].filter((each) => theirs.has(each));
	const ordered = [...theirs].filter((each) => mine.has(each)).every((each, index) => each === common[index]);
	return new Set([...mine, ...theirs].filter((each) => !ordered || !mine.has(each) || !theirs.has(each)));
}

/** Null if a statement does more than declare variables. */
function inertPart(pair: ScriptPair, node: SyntaxNode, script: Script, moved: ReadonlySet<string>): Inert | null {
	if (node.type === 'FunctionDeclaration') {
		const name = nameOf(node.id);
		return name !== null && isInertFunction(script, node) ? { names: [name], modules: [] } : null;
	}
	if (node.type === 'ImportDeclaration') {
		const plain = nodesOf(node.attributes).length === 0 && nodeModule(stringOf(node.source) ?? '') !== null;
		return plain ? { names: namesDeclared(node), modules: [] } : null;
	}
	if (node.type !== 'VariableDeclaration' || !['var', 'let', 'const'].includes(String(node.kind))) return null;
	const parts = nodesOf(node.declarations).map((declarator) => inertDeclarator(pair, declarator, script, moved));
	if (parts.some((part) => part === null)) return null;
	return {
		names: parts.flatMap((part) => part?.names ?? []),
		modules: parts.flatMap((part) => part?.modules ?? []),
	};
}

function inertDeclarator(
	pair: ScriptPair,
	{ id, init }: SyntaxNode,
	script: Script,
	moved: ReadonlySet<string>,
): Inert | null {
	const names = namesOfPattern(id);
	if (names.includes('')) return null;
	const value = withoutParentheses(init);
	if (nameOf(id) !== null && (!isNode(value) || isConstant(value) || isInertFunction(script, value))) {
		return { names, modules: [] };
	}
	const loaded = loadedBy(value);
	if (loaded === null || script.declaresRequire || !isPlainPattern(id)) return null;
	if (nodeModule(loaded) !== null) return { names, modules: [] };
	const path = pair.moduleOf(loaded);
	if (path === null) return null;
	return { names, modules: moved.has(loaded) ? [path] : [] };
}

/** `require('x')` and `require('x').name`. */
function loadedBy(value: unknown): string | null {
	const node = withoutParentheses(value);
	if (!isNode(node)) return null;
	if (node.type === 'MemberExpression') return keyOf(node) === null ? null : requiredBy(node.object);
	return requiredBy(node);
}

function isPlainPattern(id: unknown): boolean {
	if (!isNode(id) || id.type === 'Identifier') return isNode(id);
	return nodesOf(id.properties).every((property) => !property.computed && nameOf(property.value) !== null);
}

function isInertFunction({ units }: Script, node: SyntaxNode): boolean {
	const unit = isFunction(node) ? units.get(node) : undefined;
	return unit !== undefined && !unit.reassigns;
}

const CONSTANT_OPERATORS = new Set(['+', '-', '*', '/', '%', '**', '|', '&', '<<', '>>', '>>>']);

function isConstant(value: unknown): boolean {
	const node = withoutParentheses(value);
	if (!isNode(node)) return false;
	switch (node.type) {
		case 'Literal':
			return true;
		case 'TemplateLiteral':
			return nodesOf(node.expressions).length === 0;
		case 'UnaryExpression':
			return ['-', '+', '~'].includes(String(node.operator)) ? isNumber(node.argument) : isNegated(node);
		case 'BinaryExpression':
			return CONSTANT_OPERATORS.has(String(node.operator)) && isNumber(node.left) && isNumber(node.right);
		case 'ArrayExpression':
			return nodesOf(node.elements).every(isConstant);
		case 'ObjectExpression':
			return nodesOf(node.properties).every(
				(property) =>
					property.type === 'Property' &&
					property.kind === 'init' &&
					keyOf(property) !== null &&
					isConstant(property.value),
			);
		default:
			return false;
	}
}

function isNegated({ operator, argument }: SyntaxNode): boolean {
	return (operator === '!' || operator === 'void') && isConstant(argument);
}

function isNumber(value: unknown): boolean {
	const node = withoutParentheses(value);
	if (!isNode(node)) return false;
	if (node.type === 'BinaryExpression') return isConstant(node);
	return node.type === 'Literal' && typeof node.value === 'number';
}

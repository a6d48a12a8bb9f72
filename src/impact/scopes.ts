/** How functions use variables of functions around them: engines allocate accordingly. */
import {
	chainOf,
	isNode,
	keyOf,
	nameOf,
	nodesOf,
	requiredBy,
	type SyntaxNode,
	stringOf,
	withoutParentheses,
} from './syntax.ts';

/** A function, or the top level of a script. */
export interface Unit {
	readonly name: string;
	readonly node: SyntaxNode;
	/** Of a method, where its name begins. */
	readonly start: number;
	readonly bodyStart: number;
	readonly end: number;
	readonly parent: Unit | null;
	readonly children: Unit[];
	/** Without those of nested functions. */
	readonly names: Set<string>;
	/** Assigns outer variables. */
	reassigns: boolean;
	usesArguments: boolean;
	loadsComputed: boolean;
}

interface Binding {
	readonly unit: Unit;
	captured: boolean;
	/** By a nested function. */
	reassigned: boolean;
}

export interface Scope {
	readonly unit: Unit;
	readonly parent: Scope | null;
	readonly bindings: Map<string, Binding>;
	/** `var` declares here. */
	readonly hoists: boolean;
}

interface Reference {
	readonly name: string;
	readonly scope: Scope;
	readonly unit: Unit;
	readonly writes: boolean;
}

export interface Scopes {
	readonly top: Unit;
	readonly topScope: Scope;
	readonly units: ReadonlyMap<SyntaxNode, Unit>;
	readonly scopes: ReadonlyMap<SyntaxNode, readonly Scope[]>;
	/** Has direct `eval` or `with`. */
	readonly dynamic: boolean;
	readonly declaresRequire: boolean;
	/** By the top level. */
	readonly loads: readonly string[];
	readonly topNames: ReadonlyMap<SyntaxNode, ReadonlySet<string>>;
}

const FUNCTION_NAMES = ['this', 'arguments', 'new.target', 'super'];
const WRAPPER_NAMES = ['this', 'arguments', 'new.target', 'require', 'module', 'exports', '__filename', '__dirname'];
const LOADING_MEMBERS = new Set(['require', '_load', 'createRequire', '_resolveFilename']);
const HARMLESS_OF_REQUIRE = new Set(['main', 'cache', 'extensions']);

export function isFunction({ type }: SyntaxNode): boolean {
	return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

/** Returns the functions of a program, as a tree. */
export function resolveScopes(program: SyntaxNode): Scopes {
	const walk = new ScopeWalk(program);
	walk.resolve();
	return walk;
}

function newUnit(name: string, node: SyntaxNode, start: number, parent: Unit | null): Unit {
	const bodyStart = isNode(node.body) ? node.body.start : node.start;
	const unit: Unit = {
		...{ name, node, start, bodyStart, end: node.end, parent, children: [], names: new Set() },
		...{ reassigns: false, usesArguments: false, loadsComputed: false },
	};
	parent?.children.push(unit);
	return unit;
}

/** `res.send = function send () {}` is `res.send`; `module.exports = function create () {}` is `create`. */
function functionName(id: string | null, hint: string | null): string | null {
	if (id === null) return hint;
	return hint !== null && hint !== 'module.exports' && /^[\w$]+(?:\.[\w$]+)+$/.test(hint) ? hint : id;
}

type Visitor = (node: SyntaxNode, scope: Scope, hint: string | null) => void;

class ScopeWalk implements Scopes {
	readonly top: Unit;
	readonly topScope: Scope;
	readonly units = new Map<SyntaxNode, Unit>();
	readonly scopes = new Map<SyntaxNode, Scope[]>();
	readonly loads: string[] = [];
	readonly topNames = new Map<SyntaxNode, ReadonlySet<string>>();
	dynamic = false;
	readonly #references: Reference[] = [];
	readonly #sloppyBlocks: boolean;
	#declaresRequire = false;

	constructor(program: SyntaxNode) {
		this.top = newUnit('top level', program, 0, null);
		this.units.set(program, this.top);
		const module = program.sourceType === 'module';
		this.#sloppyBlocks = !module;
		this.topScope = { unit: this.top, parent: null, bindings: new Map(), hoists: true };
		for (const name of module ? ['this'] : WRAPPER_NAMES) this.#bind(name, this.topScope);
		for (const statement of nodesOf(program.body)) {
			const from = this.#references.length;
			this.#visit(statement, this.topScope);
			const used = this.#references.slice(from).filter(({ unit }) => unit === this.top);
			this.topNames.set(statement, new Set(used.map(({ name }) => name)));
		}
	}

	get declaresRequire(): boolean {
		return this.#declaresRequire;
	}

	resolve(): void {
		for (const { name, scope, unit, writes } of this.#references) {
			unit.names.add(name);
			let at: Scope | null = scope;
			while (at && !at.bindings.has(name)) at = at.parent;
			const binding = at?.bindings.get(name);
			if (!binding) continue;
			if (name === 'arguments') binding.unit.usesArguments = true;
			if (binding.unit === unit) continue;
			binding.captured = true;
			if (!writes) continue;
			binding.reassigned = true;
			for (let around: Unit | null = unit; around && around !== binding.unit; around = around.parent) {
				around.reassigns = true;
			}
		}
	}

	#scope(node: SyntaxNode, unit: Unit, parent: Scope | null, hoists = false): Scope {
		const scope = { unit, parent, bindings: new Map<string, Binding>(), hoists };
		this.scopes.set(node, [...(this.scopes.get(node) ?? []), scope]);
		return scope;
	}

	#bind(name: string, scope: Scope): void {
		if (!scope.bindings.has(name)) scope.bindings.set(name, { unit: scope.unit, captured: false, reassigned: false });
	}

	#declare(name: string, scope: Scope): void {
		if (name === 'require') this.#declaresRequire = true;
		this.#bind(name, scope);
	}

	#refer(name: string, scope: Scope, writes = false): void {
		this.#references.push({ name, scope, unit: scope.unit, writes });
	}

	#hoistOf(scope: Scope): Scope {
		let at = scope;
		while (!at.hoists && at.parent) at = at.parent;
		return at;
	}

	#each(value: unknown, scope: Scope, hint: string | null = null): void {
		for (const node of nodesOf(value)) this.#visit(node, scope, hint);
	}

	#inner(node: SyntaxNode, scope: Scope): void {
		for (const [field, value] of Object.entries(node)) if (field !== 'type') this.#each(value, scope);
	}

	readonly #visitors: Readonly<Record<string, Visitor>> = {
		Identifier: (node, scope) => this.#useOf(node, scope),
		ThisExpression: (_, scope) => this.#refer('this', scope),
		Super: (_, scope) => {
			this.#refer('super', scope);
			this.#refer('this', scope);
		},
		MetaProperty: ({ meta }, scope) => {
			if (nameOf(meta) === 'new') this.#refer('new.target', scope);
		},
		FunctionDeclaration: (node, scope, hint) => this.#functionDeclaration(node, scope, hint),
		FunctionExpression: (node, scope, hint) =>
			this.#function(node, scope, functionName(nameOf(node.id), hint), node.start),
		ArrowFunctionExpression: (node, scope, hint) => this.#function(node, scope, hint, node.start),
		ClassDeclaration: (node, scope, hint) => {
			if (isNode(node.id)) this.#declare(String(node.id.name), scope);
			this.#class(node, scope, nameOf(node.id) ?? hint);
		},
		ClassExpression: (node, scope, hint) => this.#class(node, scope, nameOf(node.id) ?? hint),
		VariableDeclaration: (node, scope) => this.#variables(node, scope),
		AssignmentExpression: ({ left, right }, scope) => {
			this.#pattern(left, null, scope);
			this.#each(right, scope, chainOf(left));
		},
		UpdateExpression: ({ argument }, scope) => this.#pattern(argument, null, scope),
		ForStatement: (node, scope) => this.#inner(node, this.#scope(node, scope.unit, scope)),
		ForInStatement: (node, scope) => this.#forEach(node, this.#scope(node, scope.unit, scope)),
		ForOfStatement: (node, scope) => this.#forEach(node, this.#scope(node, scope.unit, scope)),
		BlockStatement: (node, scope) => this.#each(node.body, this.#scope(node, scope.unit, scope)),
		SwitchStatement: (node, scope) => {
			this.#each(node.discriminant, scope);
			this.#each(node.cases, this.#scope(node, scope.unit, scope));
		},
		CatchClause: (node, scope) => {
			const inner = this.#scope(node, scope.unit, scope);
			this.#pattern(node.param, inner, inner);
			this.#each(node.body, inner);
		},
		MemberExpression: (node, scope) => this.#member(node, scope),
		Property: (node, scope) => this.#property(node, scope),
		LabeledStatement: ({ body }, scope) => this.#each(body, scope),
		BreakStatement: () => {},
		ContinueStatement: () => {},
		ExportAllDeclaration: ({ source }) => this.#loadsAtTop(stringOf(source)),
		ImportDeclaration: (node, scope) => this.#imports(node, scope),
		ExportNamedDeclaration: ({ declaration, source, specifiers }, scope) => {
			this.#each(declaration, scope);
			this.#loadsAtTop(stringOf(source));
			if (!source) for (const { local } of nodesOf(specifiers)) this.#each(local, scope);
		},
		ExportDefaultDeclaration: ({ declaration }, scope) => this.#each(declaration, scope, 'default'),
		CallExpression: (node, scope) => this.#call(node, scope),
		NewExpression: (node, scope) => this.#call(node, scope),
		ImportExpression: (node, scope) => {
			if (stringOf(node.source) === null) scope.unit.loadsComputed = true;
			this.#inner(node, scope);
		},
		WithStatement: (node, scope) => {
			this.dynamic = true;
			this.#inner(node, scope);
		},
	};

	#visit(node: SyntaxNode, scope: Scope, hint: string | null = null): void {
		const visitor = this.#visitors[node.type];
		if (visitor) visitor(node, scope, hint);
		else this.#inner(node, scope);
	}

	#loadsAtTop(specifier: string | null): void {
		if (specifier !== null) this.loads.push(specifier);
	}

	#useOf(node: SyntaxNode, scope: Scope): void {
		const name = String(node.name);
		if (name === 'require' || name === 'createRequire') scope.unit.loadsComputed = true;
		this.#refer(name, scope);
	}

	#functionDeclaration(node: SyntaxNode, scope: Scope, hint: string | null): void {
		const name = nameOf(node.id);
		if (name !== null) {
			this.#declare(name, scope);
			// Annex B: also a variable of the function around.
			if (this.#sloppyBlocks) this.#declare(name, this.#hoistOf(scope));
		}
		this.#function(node, scope, name ?? hint, node.start);
	}

	#function(node: SyntaxNode, outer: Scope, name: string | null, start: number): void {
		const unit = newUnit(name ?? 'anonymous', node, start, outer.unit);
		this.units.set(node, unit);
		let scope = outer;
		if (node.type === 'FunctionExpression' && isNode(node.id)) {
			scope = this.#scope(node, unit, scope);
			this.#declare(String(node.id.name), scope);
		}
		scope = this.#scope(node, unit, scope, true);
		if (node.type !== 'ArrowFunctionExpression') for (const implicit of FUNCTION_NAMES) this.#bind(implicit, scope);
		const params = nodesOf(node.params);
		for (const param of params) this.#pattern(param, scope, scope);
		if (params.some(({ type }) => type !== 'Identifier')) scope = this.#scope(node, unit, scope, true);
		if (!isNode(node.body)) return;
		if (node.body.type === 'BlockStatement') this.#each(node.body.body, scope);
		else this.#visit(node.body, scope);
	}

	#class(node: SyntaxNode, outer: Scope, name: string | null): void {
		const scope = this.#scope(node, outer.unit, outer);
		if (isNode(node.id)) this.#declare(String(node.id.name), scope);
		this.#each(node.superClass, scope);
		for (const member of isNode(node.body) ? nodesOf(node.body.body) : []) {
			if (member.computed) this.#each(member.key, scope);
			const memberName = `${name ?? 'class'}.${keyOf(member) ?? 'member'}`;
			if (member.type === 'MethodDefinition') {
				for (const value of nodesOf(member.value)) this.#function(value, scope, memberName, member.start);
				continue;
			}
			const own = this.#scope(member, outer.unit, scope, true);
			for (const implicit of FUNCTION_NAMES) this.#bind(implicit, own);
			this.#each(member.value, own, memberName);
			if (member.type === 'StaticBlock') this.#each(member.body, own);
		}
	}

	#variables(node: SyntaxNode, scope: Scope): void {
		const home = node.kind === 'var' ? this.#hoistOf(scope) : scope;
		for (const declarator of nodesOf(node.declarations)) {
			this.#pattern(declarator.id, home, scope);
			this.#each(declarator.init, scope, nameOf(declarator.id));
		}
	}

	/** Assigns the names if `home` is null. */
	#pattern(given: unknown, home: Scope | null, scope: Scope): void {
		const node = withoutParentheses(given);
		if (!isNode(node)) return;
		if (node.type === 'Identifier') {
			if (home) this.#declare(String(node.name), home);
			else this.#refer(String(node.name), scope, true);
		} else if (node.type === 'ArrayPattern') {
			for (const element of nodesOf(node.elements)) this.#pattern(element, home, scope);
		} else if (node.type === 'ObjectPattern') {
			for (const property of nodesOf(node.properties)) {
				if (property.computed) this.#each(property.key, scope);
				this.#pattern(property.type === 'Property' ? property.value : property, home, scope);
			}
		} else if (node.type === 'RestElement') {
			this.#pattern(node.argument, home, scope);
		} else if (node.type === 'AssignmentPattern') {
			this.#pattern(node.left, home, scope);
			this.#each(node.right, scope, nameOf(node.left));
		} else {
			this.#visit(node, scope);
		}
	}

	#forEach(node: SyntaxNode, scope: Scope): void {
		if (isNode(node.left) && node.left.type === 'VariableDeclaration') this.#variables(node.left, scope);
		else this.#pattern(node.left, null, scope);
		this.#each(node.right, scope);
		this.#each(node.body, scope);
	}

	#member(node: SyntaxNode, scope: Scope): void {
		const key = keyOf(node);
		if (node.computed) this.#each(node.property, scope);
		else if (key !== null && LOADING_MEMBERS.has(key)) scope.unit.loadsComputed = true;
		const harmless = nameOf(node.object) === 'require' && key !== null && HARMLESS_OF_REQUIRE.has(key);
		if (harmless) this.#refer('require', scope);
		else this.#each(node.object, scope);
	}

	#property(node: SyntaxNode, scope: Scope): void {
		if (node.computed) this.#each(node.key, scope);
		if (!isNode(node.value)) return;
		const name = keyOf(node);
		if (node.method || node.kind !== 'init') this.#function(node.value, scope, name, node.start);
		else this.#visit(node.value, scope, name);
	}

	#imports(node: SyntaxNode, scope: Scope): void {
		this.#loadsAtTop(stringOf(node.source));
		for (const { local } of nodesOf(node.specifiers)) {
			const name = nameOf(local);
			if (name !== null) this.#declare(name, scope);
		}
	}

	#call(node: SyntaxNode, scope: Scope): void {
		const callee = withoutParentheses(node.callee);
		const words = nodesOf(node.arguments)
			.map(stringOf)
			.filter((word) => word !== null);
		if (nameOf(callee) === 'eval') this.dynamic = true;
		const required = requiredBy(node);
		if (required === null && chainOf(callee) !== 'require.resolve') this.#each(node.callee, scope);
		else this.#refer('require', scope);
		if (required === null && chainOf(callee) === 'require.resolve' && words.length === 0) {
			scope.unit.loadsComputed = true;
		}
		if (scope.unit === this.top) this.#loadsAtTop(required);
		const name = chainOf(callee);
		const word = words[0] !== undefined && words[0].length < 60 ? `('${words[0]}')` : ' callback';
		const hint = name === null ? null : `${name}${word}`;
		for (const argument of nodesOf(node.arguments)) this.#visit(argument, scope, isNode(argument.id) ? null : hint);
	}
}

/** Code in a form that is equal only where an engine sees the same code. */
import { isFunction, resolveScopes, type Scope, type Scopes, type Unit } from './scopes.ts';
import { isNode, nodesOf, parseScript, requiredBy, type SourceKind, type SyntaxNode, stringOf } from './syntax.ts';
import { isScript, kindsOfScript, type Tree, versionOf } from './trees.ts';

export interface Statement {
	readonly node: SyntaxNode;
	readonly text: string;
	readonly units: readonly Unit[];
}

export interface Script extends Scopes {
	readonly text: string;
	readonly kind: SourceKind;
	readonly statements: readonly Statement[];
	/** Writes nested functions as signatures. */
	readonly codeOf: (unit: Unit) => string;
	/** Returns the parts that other code can observe without calling it. */
	readonly signatureOf: (unit: Unit) => string;
	/** Returns `c`, `r`: nested functions capture, reassign a variable of the top level. */
	readonly useOf: (name: string) => string;
	/** Returns the line of an offset, from 1. */
	readonly lineAt: (offset: number) => number;
}

/** They load without side effects. */
const NODE_MODULES =
	'assert buffer crypto diagnostics_channel events fs fs/promises http https net os path path/posix process querystring stream stream/promises stream/web string_decoder timers timers/promises tls tty url util util/types zlib';
const BUILT_IN = new Set(NODE_MODULES.split(' '));

/** Returns `node:path` for `path`; null for modules with effects, and those not of Node. */
export function nodeModule(specifier: string): string | null {
	const name = specifier.startsWith('node:') ? specifier.slice(5) : specifier;
	return BUILT_IN.has(name) ? `node:${name}` : null;
}

/** Returns null for another kind of file, and for a syntax error. */
export function readInstalledScript(tree: Tree, path: string): Script | null {
	const text = isScript(path) ? tree.get(path) : undefined;
	return text === undefined ? null : readScript(text, kindsOfScript(tree, path), versionOf(tree, path));
}

const SKIPPED = new Set(['type', 'start', 'end', 'raw', 'sourceType']);

/** Returns null for a syntax error. Literals that equal `version` are written as such. */
export function readScript(text: string, kinds: readonly SourceKind[], version: string | null): Script | null {
	const parsed = parseScript(text, kinds);
	if (!parsed) return null;
	try {
		return analyse(text, parsed, version);
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}

function analyse(
	text: string,
	{ program, kind }: { readonly program: SyntaxNode; readonly kind: SourceKind },
	version: string | null,
): Script {
	const scopes = resolveScopes(program);
	const writer = new CanonicalWriter(scopes, version);
	const { top, topScope } = scopes;
	let next = 0;
	const statements = nodesOf(program.body)
		.filter(({ type }) => type !== 'EmptyStatement')
		.map((node) => {
			const from = next;
			while ((top.children[next]?.start ?? Infinity) < node.end) next += 1;
			return { node, text: writer.textOf(node), units: top.children.slice(from, next) };
		});
	return {
		...{ text, kind, statements, top, topScope, units: scopes.units, scopes: scopes.scopes, loads: scopes.loads },
		...{ dynamic: scopes.dynamic, declaresRequire: scopes.declaresRequire, topNames: scopes.topNames },
		codeOf: (unit) => writer.codeOf(unit),
		signatureOf: (unit) => writer.signatureOf(unit),
		useOf: (name) => useText(topScope, name),
		lineAt: linesOf(text),
	};
}

function linesOf(text: string): (offset: number) => number {
	let ends: readonly number[] | undefined;
	return (offset) => {
		ends ??= [...text.matchAll(/\n/g)].map(({ index }) => index);
		let [low, high] = [0, ends.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((ends[middle] ?? 0) < offset) low = middle + 1;
			else high = middle;
		}
		return low + 1;
	};
}

function useText({ bindings }: Scope, name: string): string {
	const binding = bindings.get(name);
	return `${binding?.captured ? 'c' : ''}${binding?.reassigned ? 'r' : ''}`;
}

class CanonicalWriter {
	readonly #scopes: Scopes;
	readonly #version: string | null;
	readonly #codes = new Map<Unit, string>();
	readonly #signatures = new Map<Unit, string>();

	constructor(scopes: Scopes, version: string | null) {
		this.#scopes = scopes;
		this.#version = version;
	}

	textOf(value: unknown): string {
		const out: string[] = [];
		this.#write(value, out);
		return out.join('');
	}

	codeOf(unit: Unit): string {
		return this.#kept(this.#codes, unit, ({ node }) => {
			const { params, body } = node;
			return `${this.signatureOf(unit)}${this.textOf(params)}${this.textOf(body)}${this.#uses(node)}`;
		});
	}

	signatureOf(unit: Unit): string {
		return this.#kept(this.#signatures, unit, ({ node, usesArguments }) => {
			const { type, async, generator, id, params, body } = node;
			const directives = isNode(body) ? nodesOf(body.body).map(({ directive }) => directive ?? null) : [];
			const facts = [type, async, generator, usesArguments, ...directives.filter((text) => text !== null)];
			return `<${JSON.stringify(facts)}${this.textOf(id)}${this.textOf(params)}>`;
		});
	}

	#kept(kept: Map<Unit, string>, unit: Unit, write: (unit: Unit) => string): string {
		const text = kept.get(unit) ?? write(unit);
		kept.set(unit, text);
		return text;
	}

	#uses(node: SyntaxNode): string {
		return (this.#scopes.scopes.get(node) ?? [])
			.flatMap((scope) => [...scope.bindings.keys()].map((name) => [name, useText(scope, name)] as const))
			.filter(([, use]) => use !== '')
			.map(([name, use]) => `{${name}:${use}}`)
			.join('');
	}

	#write(value: unknown, out: string[]): void {
		if (Array.isArray(value)) {
			out.push('[');
			for (const item of value) {
				if (isNode(item) && item.type === 'EmptyStatement') continue;
				this.#write(item, out);
				out.push(',');
			}
			out.push(']');
		} else if (!isNode(value)) {
			out.push(plainText(value));
		} else if (isFunction(value)) {
			const unit = this.#scopes.units.get(value);
			out.push(unit ? this.signatureOf(unit) : '');
		} else if (value.type === 'Literal') {
			out.push(this.#version !== null && value.value === this.#version ? '<version>' : literalText(value));
		} else {
			this.#writeNode(value, out);
		}
	}

	#writeNode(node: SyntaxNode, out: string[]): void {
		const module = this.#nodeModuleOf(node);
		if (module !== null) {
			out.push(`(${node.type} ${module} `);
			this.#write(node.specifiers ?? null, out);
			out.push(')');
			return;
		}
		out.push('(', node.type);
		for (const [field, value] of Object.entries(node)) {
			if (SKIPPED.has(field) || value === undefined) continue;
			out.push(' ', field, '=');
			this.#write(value, out);
		}
		out.push(this.#uses(node), ')');
	}

	#nodeModuleOf(node: SyntaxNode): string | null {
		if (node.type === 'ImportDeclaration') {
			const plain = nodesOf(node.attributes).length === 0 && !node.phase;
			return plain ? nodeModule(stringOf(node.source) ?? '') : null;
		}
		if (node.type !== 'CallExpression' || node.optional || this.#scopes.declaresRequire) return null;
		return nodeModule(requiredBy(node) ?? '');
	}
}

function plainText(value: unknown): string {
	// JSON has no infinity.
	if (typeof value === 'number') return String(value);
	return typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'undefined');
}

function literalText({ value, regex, bigint }: SyntaxNode): string {
	if (isPattern(regex)) return `/${regex.pattern}/${regex.flags}`;
	return typeof bigint === 'string' ? `${bigint}n` : plainText(value);
}

function isPattern(value: unknown): value is { readonly pattern: string; readonly flags: string } {
	return typeof value === 'object' && value !== null && 'pattern' in value;
}

import { parse } from 'acorn';

export interface SyntaxNode {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [field: string]: unknown;
}

export type SourceKind = 'script' | 'module';

const MOST_CHARACTERS = 3_000_000;

export function isNode(value: unknown): value is SyntaxNode {
	return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

export function nodesOf(value: unknown): readonly SyntaxNode[] {
	return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];
}

/** Returns null for a syntax error. Keeps parentheses, because engines compile `(function () {})` at once. */
export function parseScript(
	text: string,
	kinds: readonly SourceKind[],
): { readonly program: SyntaxNode; readonly kind: SourceKind } | null {
	if (text.length > MOST_CHARACTERS) return null;
	for (const kind of kinds) {
		try {
			const sourceType = kind === 'module' ? 'module' : 'commonjs';
			const program: unknown = parse(text, { ecmaVersion: 'latest', sourceType, preserveParens: true });
			if (isNode(program)) return { program, kind };
		} catch {
			// Or a stack overflow.
		}
	}
	return null;
}

export function stringOf(node: unknown): string | null {
	return isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

export function nameOf(node: unknown): string | null {
	return isNode(node) && node.type === 'Identifier' ? String(node.name) : null;
}

export function withoutParentheses(node: unknown): unknown {
	let inner = node;
	while (isNode(inner) && inner.type === 'ParenthesizedExpression') inner = inner.expression;
	return inner;
}

const LONGEST_NAME = 80;

/** Returns `res.sendFile` for a chain of names, else null. */
export function chainOf(node: unknown): string | null {
	const name = chain(withoutParentheses(node));
	return name !== null && name.length <= LONGEST_NAME ? name : null;
}

function chain(node: unknown): string | null {
	if (!isNode(node)) return null;
	if (node.type === 'ThisExpression') return 'this';
	if (node.type !== 'MemberExpression') return nameOf(node);
	const object = chain(node.object);
	const property = node.computed ? stringOf(node.property) : keyOf(node);
	return object === null || property === null ? null : `${object}.${property}`;
}

export function keyOf(member: SyntaxNode): string | null {
	if (member.computed) return null;
	const key = member.key ?? member.property;
	if (isNode(key) && key.type === 'PrivateIdentifier') return `#${key.name}`;
	return nameOf(key) ?? (isNode(key) && key.type === 'Literal' ? String(key.value) : null);
}

/** Returns the `x` of `require('x')`. */
export function requiredBy(node: unknown): string | null {
	const call = withoutParentheses(node);
	if (!isNode(call) || call.type !== 'CallExpression' || nameOf(call.callee) !== 'require') return null;
	return Array.isArray(call.arguments) && call.arguments.length === 1 ? stringOf(call.arguments[0]) : null;
}

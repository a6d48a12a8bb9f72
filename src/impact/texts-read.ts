import { createHash } from 'node:crypto';
import type { CellCoverage } from '../types/coverage.ts';
import { readScript } from './canonical.ts';
import type { Trees } from './resolution.ts';
import { isNode, type SyntaxNode } from './syntax.ts';
import { kindsOfScript, type Tree } from './trees.ts';

/** Returns a script with a changed function whose text base read. */
export function textsRead({ base, head }: Trees, { texts, scripts }: CellCoverage): string | undefined {
	const read = new Set(texts);
	if (read.size === 0) return undefined;
	const changed = [...new Set(scripts.map(({ path }) => path))].filter((path) => base.get(path) !== head.get(path));
	return changed.find((path) => {
		const kept = hashesOf(head, path);
		return kept === null || [...(hashesOf(base, path) ?? [])].some((hash) => read.has(hash) && !kept.has(hash));
	});
}

function hashesOf(tree: Tree, path: string): ReadonlySet<string> | null {
	const text = tree.get(path) ?? '';
	const script = readScript(text, kindsOfScript(tree, path), null);
	if (!script) return null;
	const hashes = new Set<string>();
	for (const unit of script.units.values()) if (unit.parent) hashes.add(hashOfText(text, unit));
	for (const node of classesOf(script.top.node)) hashes.add(hashOfText(text, node));
	return hashes;
}

/** Returns the hash of a function's or class's text, as V8 returns it. */
export function hashOfText(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
	const slice = text.slice(start, end).replace(/^static\s+/, '');
	return createHash('sha256').update(slice).digest('hex');
}

function* classesOf(node: SyntaxNode): Iterable<SyntaxNode> {
	if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') yield node;
	for (const value of Object.values(node)) {
		for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* classesOf(child);
	}
}

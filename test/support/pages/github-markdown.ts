import type { Element, ElementContent, Root } from 'hast';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import { unified } from 'unified';

type Node = Root | ElementContent;

/** Renders Markdown without sanitising: dangerous HTML and links remain. */
export function renderGitHub(markdown: string): string {
	return micromark(markdown, {
		allowDangerousHtml: true,
		allowDangerousProtocol: true,
		extensions: [gfm()],
		htmlExtensions: [gfmHtml()],
	});
}

/** Parses `renderGitHub` like a browser. */
export function parseMarkdown(markdown: string): Root {
	const raw: unknown = { type: 'root', children: [{ type: 'raw', value: renderGitHub(markdown) }] };
	return unified()
		.use(rehypeRaw)
		.runSync(raw as Root);
}

/** Keeps GitHub's allowed elements and attributes. */
export function sanitize(tree: Root): Root {
	return unified().use(rehypeSanitize).runSync(structuredClone(tree));
}

/** Returns descendant elements in document order, optionally by `name`. */
export function elementsIn(node: Node, name?: string): readonly Element[] {
	const children = 'children' in node ? node.children : [];
	return children.flatMap((child) => {
		if (child.type !== 'element') return [];
		const self = name === undefined || child.tagName === name ? [child] : [];
		return [...self, ...elementsIn(child, name)];
	});
}

/** Returns a node's text without elements in `but`. */
export function textIn(node: Node, ...but: readonly string[]): string {
	if (node.type === 'text') return node.value;
	if (!('children' in node) || (node.type === 'element' && but.includes(node.tagName))) return '';
	return node.children.map((child) => (child.type === 'doctype' ? '' : textIn(child, ...but))).join('');
}

/** Returns a table's cells by row, header first. */
export function tableOf(table: Element): readonly (readonly string[])[] {
	return elementsIn(table, 'tr').map((row) =>
		elementsIn(row)
			.filter(({ tagName }) => tagName === 'td' || tagName === 'th')
			.map((cell) => textIn(cell)),
	);
}

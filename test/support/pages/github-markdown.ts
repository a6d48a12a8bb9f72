import type { Element, ElementContent, Root } from 'hast';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import { unified } from 'unified';

type Node = Root | ElementContent;

/** Returns the HTML of Markdown before anything is taken out of it: dangerous HTML and links are still there. */
export function renderGitHub(markdown: string): string {
	return micromark(markdown, {
		allowDangerousHtml: true,
		allowDangerousProtocol: true,
		extensions: [gfm()],
		htmlExtensions: [gfmHtml()],
	});
}

/** Returns `renderGitHub` as a tree, parsed the way a browser does. */
export function parseMarkdown(markdown: string): Root {
	const raw: unknown = { type: 'root', children: [{ type: 'raw', value: renderGitHub(markdown) }] };
	return unified()
		.use(rehypeRaw)
		.runSync(raw as Root);
}

/** Returns what GitHub's list of allowed elements and attributes leaves of a tree. */
export function sanitize(tree: Root): Root {
	return unified().use(rehypeSanitize).runSync(structuredClone(tree));
}

/** Returns all elements below a node, in the order of the document; with `name`, only those. */
export function elementsIn(node: Node, name?: string): readonly Element[] {
	const children = 'children' in node ? node.children : [];
	return children.flatMap((child) => {
		if (child.type !== 'element') return [];
		const self = name === undefined || child.tagName === name ? [child] : [];
		return [...self, ...elementsIn(child, name)];
	});
}

/** Returns the text of a node; of elements called one of `but`, nothing. */
export function textIn(node: Node, ...but: readonly string[]): string {
	if (node.type === 'text') return node.value;
	if (!('children' in node) || (node.type === 'element' && but.includes(node.tagName))) return '';
	return node.children.map((child) => (child.type === 'doctype' ? '' : textIn(child, ...but))).join('');
}

/** Returns a table as texts: rows, the head first, of cells. */
export function tableOf(table: Element): readonly (readonly string[])[] {
	return elementsIn(table, 'tr').map((row) =>
		elementsIn(row)
			.filter(({ tagName }) => tagName === 'td' || tagName === 'th')
			.map((cell) => textIn(cell)),
	);
}

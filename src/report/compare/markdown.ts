import type { Result } from '../../types/result.ts';
import { type MarkdownRoom, toMarkdown } from '../document/markdown-writer.ts';
import type { Audience } from './audience.ts';
import { comparisonDocument } from './comparison-document.ts';

const COMMENT_LIMIT = 65_000;

export interface MarkdownOptions extends Audience, Partial<MarkdownRoom> {}

/** Returns GitHub-flavoured Markdown. A limit below 4,000 characters is not guaranteed. */
export function renderMarkdown(
	result: Result,
	{ limit = COMMENT_LIMIT, sizeOf, ...audience }: MarkdownOptions = {},
): string {
	return toMarkdown(comparisonDocument(result, audience), { limit, ...(sizeOf && { sizeOf }) });
}

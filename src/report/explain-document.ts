import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../text/escape.ts';
import { countOf, formatDuration } from '../text/numbers.ts';
import { phrase } from '../text/phrase.ts';
import type { Explanation } from '../types/explain.ts';
import { type Document, listSection, repeatSection } from './document/document.ts';
import { rowSection } from './explain/why-sections.ts';

/** Returns the report of `benchgate explain`. */
export function explainDocument(explanation: Explanation): Document {
	const { base, head, rows, seconds, warnings, reproduce } = explanation;
	const sides = phrase`base ${labelOf(base)}, head ${labelOf(head)}`;
	const rowCount = rows.length === 0 ? 'No row to explain' : countOf(rows.length, 'row');
	return {
		headline: {
			...{ tone: null, title: 'Why rows changed', blocks: [] },
			summary: phrase`${rowCount} in ${formatDuration(seconds)}: ${sides}.`,
		},
		sections: [
			...rows.map((row) => rowSection(row)),
			...listSection(
				['Notes'],
				warnings.map(({ message }) => [{ text: plainText(message, MESSAGE_LIMIT) }]),
			),
			repeatSection(reproduce),
		],
	};
}

function labelOf({ label }: Explanation['base']): { readonly code: string } {
	return { code: plainText(label, NAME_LIMIT) };
}

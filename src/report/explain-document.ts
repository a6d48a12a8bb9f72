import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../text/escape.ts';
import { countOf, formatChange, formatDuration, formatInterval } from '../text/numbers.ts';
import { capitalised, type Phrase, phrase } from '../text/phrase.ts';
import type { ExplainedRow, Explanation } from '../types/explain.ts';
import { METRICS } from '../types/metric.ts';
import { type Block, type Document, listSection, repeatSection, type Section, section } from './document/document.ts';
import { countsBlocks } from './explain/counts-tables.ts';
import { proofBlocks, proofWords } from './explain/proof-section.ts';
import { isCounted, whyOf } from './explain/why.ts';

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

/** Returns the part of a comparison's page. */
export function explainedSection({ rows }: Explanation): Section {
	return section(
		['Why'],
		rows.map((row) => rowSection(row, true)),
	);
}

/** Returns a row's sentences, and the figures behind them. */
function rowSection(row: ExplainedRow, isFolded = false): Section {
	const { counts, proof, notes, unreached } = row;
	const isSaid = proof !== null && proof.carriers.length > 0 && !(counts && isCounted(counts));
	const steps = proof ? proofBlocks(proof) : [];
	const figures = counts ? countsBlocks(counts) : [];
	const blocks: readonly Block[] = [
		{ kind: 'paragraphs', items: [capitalised(whyOf(row))] },
		...(proof === null || isSaid ? [] : [{ kind: 'labelled' as const, label: 'Proof', items: [proofWords(proof)] }]),
		...(isFolded && steps.length > 0
			? [section(['Head without parts of the difference'], steps, { folded: true })]
			: steps),
		...(isFolded && counts ? [section(['What a request does'], figures, { folded: true })] : figures),
		// Without counts, the first note is the reason.
		...noteBlocks(counts ? notes : notes.slice(1), unreached),
	];
	return section([{ code: plainText(`${row.server}/${row.scenario}`, 2 * NAME_LIMIT) }], blocks, {
		caption: captionOf(row),
	});
}

function captionOf({ verdict, metric, change, interval }: ExplainedRow): Phrase {
	if (verdict === null || metric === null) return [];
	return [`${verdict}, ${METRICS[metric].label} ${formatChange(change)} ${formatInterval(interval)}`];
}

function noteBlocks(notes: readonly string[], unreached: ExplainedRow['unreached']): readonly Block[] {
	const items: Phrase[] = notes.map((note) => [{ text: plainText(note, MESSAGE_LIMIT) }]);
	if (unreached.length > 0) items.push([`Not reached in time: ${unreached.join(', ')}.`]);
	return items.length === 0 ? [] : [{ kind: 'paragraphs', items }];
}

function labelOf({ label }: Explanation['base']): { readonly code: string } {
	return { code: plainText(label, NAME_LIMIT) };
}

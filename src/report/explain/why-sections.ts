import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval } from '../../text/numbers.ts';
import { capitalised, type Phrase } from '../../text/phrase.ts';
import type { ExplainedRow, Explanation } from '../../types/explain.ts';
import { METRICS } from '../../types/metric.ts';
import { type Block, type Section, section } from '../document/document.ts';
import { countsBlocks } from './counts-tables.ts';
import { whyLines, whyOf } from './why.ts';

/** Returns the parts of a comparison: lines in a terminal, figures on the page. */
export function whySections(explanation: Explanation): readonly Section[] {
	const { rows } = explanation;
	if (rows.length === 0) return [];
	const lines = section([], [{ kind: 'paragraphs', items: whyLines(explanation) }], { media: ['terminal'] });
	const folded = rows.map((row) => rowSection(row, true));
	return [lines, section(['Why'], folded, { media: ['html'] })];
}

/** Returns a row's sentences, and the figures behind them. */
export function rowSection(row: ExplainedRow, isFolded = false): Section {
	const { counts, notes, unreached } = row;
	const figures = counts ? countsBlocks(counts) : [];
	const blocks: readonly Block[] = [
		{ kind: 'paragraphs', items: [capitalised(whyOf(row))] },
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

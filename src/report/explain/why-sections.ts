import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { formatChange, formatInterval } from '../../text/numbers.ts';
import { capitalised, linkCode, type Phrase, plainPhrase } from '../../text/phrase.ts';
import type { ExplainedRow, Explanation } from '../../types/explain.ts';
import { METRICS } from '../../types/metric.ts';
import type { Audience } from '../compare/audience.ts';
import { codeUrl } from '../compare/links.ts';
import { type Block, type Medium, type Section, type Shortening, section } from '../document/document.ts';
import { whyId } from '../html/row-html.ts';
import { countsBlocks } from './counts-tables.ts';
import { profileBlocks } from './profile-section.ts';
import { proofBlocks, proofWords } from './proof-section.ts';
import { isCounted, whyInShort, whyLines, whyOf } from './why.ts';

const MOST_IN_COMMENT = 5;

/** Returns the parts of a comparison: lines in terminal and comment, figures on the page. */
export function whySections({ rows }: Explanation, audience: Audience, shortening: Shortening): readonly Section[] {
	if (rows.length === 0) return [];
	const lines = (items: readonly Phrase[], medium: Medium): Section =>
		section([], [{ kind: 'paragraphs', items }], { media: [medium] });
	const telling = rows.filter(({ verdict }) => verdict !== 'unchanged').slice(0, MOST_IN_COMMENT);
	const short = whyLines({ rows: telling }, whyInShort).map((line) => linkCode(line, (at) => codeUrl(at, audience)));
	return [
		lines(whyLines({ rows }), 'terminal'),
		{ ...lines(short, 'markdown'), shortening: [shortening] },
		section(
			['Why'],
			rows.map((row) => ({ ...rowSection(row, true), id: whyId(row) })),
			{ media: ['html'] },
		),
	];
}

/** Returns a row's sentences, and the figures behind them. */
export function rowSection(row: ExplainedRow, isFolded = false): Section {
	const { counts, proof, profile, notes, unreached } = row;
	const isSaid = proof !== null && proof.carriers.length > 0 && !(counts && isCounted(counts));
	const steps = proof ? proofBlocks(proof) : [];
	const figures = counts ? countsBlocks(counts) : [];
	const why = whyOf(row);
	const times = profile ? profileBlocks(profile, plainPhrase(why)) : [];
	const blocks: readonly Block[] = [
		{ kind: 'paragraphs', items: [capitalised(why)] },
		...(proof === null || isSaid
			? []
			: [{ kind: 'labelled' as const, label: 'Proof', items: [capitalised(proofWords(proof))] }]),
		...(isFolded && steps.length > 0
			? [section(['Head without parts of the difference'], steps, { folded: true })]
			: steps),
		...(isFolded && counts ? [section(['What a request does'], figures, { folded: true })] : figures),
		...(isFolded && profile ? [section(['Where the CPU time goes'], times, { folded: true })] : times),
		...noteBlocks(
			notes.map((note) => plainText(note, MESSAGE_LIMIT)).filter((note) => note !== plainPhrase(why)),
			unreached,
		),
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
	const items: Phrase[] = notes.map((text) => [{ text }]);
	if (unreached.length > 0) items.push([`Not reached in time: ${unreached.join(', ')}.`]);
	return items.length === 0 ? [] : [{ kind: 'paragraphs', items }];
}

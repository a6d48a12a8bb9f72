import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf, formatChange, formatInterval } from '../../text/numbers.ts';
import { capitalised, linkCode, type Phrase, phrase, plainPhrase } from '../../text/phrase.ts';
import type { CountedFunction, CountedPeer, Counts } from '../../types/explain/counts.ts';
import type { ExplainedRow, Explanation } from '../../types/explain.ts';
import { METRICS } from '../../types/metric.ts';
import type { Audience } from '../compare/audience.ts';
import { codeUrl } from '../compare/links.ts';
import { type Block, type Medium, type Section, type Shortening, section } from '../document/document.ts';
import { whyId } from '../html/row-html.ts';
import { formatWork, nameWords, placeWords, STATES } from './code-words.ts';
import { profileBlocks } from './profile-section.ts';
import { proofBlocks, proofWords } from './proof-section.ts';
import { formatCalls, peerWords, provenFirst, WORK_WORDS, whyInShort, whyLines, whyOf } from './why.ts';

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
	const isSaid =
		proof !== null && proof.carriers.length > 0 && (counts === null || provenFirst(counts, proof) === null);
	const steps = proof ? proofBlocks(proof) : [];
	const figures = counts ? countsBlocks(counts) : [];
	const why = whyOf(row);
	const times = profile ? profileBlocks(profile, plainPhrase(why)) : [];
	const blocks: readonly Block[] = [
		{ kind: 'paragraphs', items: [capitalised(why)] },
		...(proof === null || isSaid
			? []
			: [{ kind: 'labelled' as const, label: 'Proof', items: [capitalised(proofWords(proof, counts))] }]),
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

const MOST_ROWS = 30;
const MOST_IN_TERMINAL = 10;
const MOST_UNSEEN = 3;

/** Returns the tables of calls and of other work. */
function countsBlocks({ requests, repeats, functions, omitted, work, peers, unseen }: Counts): readonly Block[] {
	const shown = functions.slice(0, MOST_ROWS);
	const left = functions.length - shown.length + omitted;
	const of = `The least of ${repeats} repeats of ${requests} requests each, one after the other; an async function counts again after each await.`;
	const rest = left > 0 ? ` ${countOf(left, 'more function')} in the JSON file.` : '';
	const figures = [
		{ label: 'base', align: 'right' as const },
		{ label: 'head', align: 'right' as const },
	];
	const calls: Block = {
		kind: 'table',
		columns: [
			{ label: 'calls a request of', align: 'left', shrinks: true },
			...figures,
			{ label: 'where', align: 'left' },
			{ label: 'code', align: 'left' },
		],
		rows: shown.map((each) => [nameWords(each), ...pairOf(formatCalls, each), placeWords(each), reasonOf(each)]),
		note: `${of}${rest}`,
		terminalRows: MOST_IN_TERMINAL,
	};
	return [
		...(shown.length === 0 ? [] : [calls]),
		...peerBlocks(peers),
		...(work.length === 0
			? []
			: [
					{
						kind: 'table' as const,
						columns: [{ label: 'other work a request', align: 'left' as const }, ...figures],
						rows: work.map((each) => [[WORK_WORDS[each.kind].noun], ...pairOf(formatWork, each)]),
						note: 'Counted without optimised code, so that allocation is exact.',
					},
				]),
		...unseenBlocks(unseen),
	];
}

function pairOf(
	format: (amount: number) => string,
	{ base, head, varies }: { readonly base: number; readonly head: number; readonly varies: boolean },
): readonly Phrase[] {
	const about = varies ? '~' : '';
	return [[`${about}${format(base)}`], [`${about}${format(head)}`]];
}

function reasonOf({ state, caller, package: upgraded }: CountedFunction): Phrase {
	if (upgraded) return [{ text: plainText(`${upgraded.base ?? 'none'} → ${upgraded.head ?? 'none'}`, NAME_LIMIT) }];
	return caller ? phrase`called by ${nameWords(caller)}` : [STATES[state]];
}

function peerBlocks(peers: readonly CountedPeer[]): readonly Block[] {
	if (peers.length === 0) return [];
	return [
		{
			kind: 'table',
			columns: [
				{ label: 'other programs', align: 'left', shrinks: true },
				{ label: 'round trips a request', align: 'right' },
				{ label: 'bytes sent', align: 'right' },
				{ label: 'bytes received', align: 'right' },
			],
			rows: peers.map((peer) => [
				peerWords(peer),
				figureWords(peer.roundTrips),
				figureWords(peer.bytesSent),
				figureWords(peer.bytesReceived),
			]),
			note: 'Base → head, over TCP. A round trip is a segment with data, sent or received, whichever are fewer: queries that are sent together count once.',
		},
	];
}

function figureWords({ base, head, varies, differs }: CountedPeer['roundTrips']): Phrase {
	const about = varies ? '~' : '';
	return [differs ? `${about}${formatWork(base)} → ${about}${formatWork(head)}` : `${about}${formatWork(head)}`];
}

function unseenBlocks(unseen: Counts['unseen']): readonly Block[] {
	if (unseen.length === 0) return [];
	const items = unseen
		.slice(0, MOST_UNSEEN)
		.map(({ side, detail }): Phrase => [`${side}: `, { text: plainText(detail, MESSAGE_LIMIT) }]);
	return [{ kind: 'labelled', label: 'Not counted', items }];
}

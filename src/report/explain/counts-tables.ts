import { MESSAGE_LIMIT, NAME_LIMIT, plainText } from '../../text/escape.ts';
import { countOf } from '../../text/numbers.ts';
import { type Phrase, phrase } from '../../text/phrase.ts';
import type { CountedFunction, Counts } from '../../types/explain/counts.ts';
import type { Block } from '../document/document.ts';
import { formatWork, nameWords, placeWords, STATES } from './code-words.ts';
import { peerBlocks } from './peers.ts';
import { formatCalls, WORK_WORDS } from './why.ts';

const MOST_ROWS = 30;
const MOST_IN_TERMINAL = 10;
const MOST_UNSEEN = 3;

/** Returns the tables of calls and of other work. */
export function countsBlocks({ requests, repeats, functions, omitted, work, peers, unseen }: Counts): readonly Block[] {
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
	return caller ? phrase`used in ${nameWords(caller)}` : [STATES[state]];
}

function unseenBlocks(unseen: Counts['unseen']): readonly Block[] {
	if (unseen.length === 0) return [];
	const items = unseen
		.slice(0, MOST_UNSEEN)
		.map(({ side, detail }): Phrase => [`${side}: `, { text: plainText(detail, MESSAGE_LIMIT) }]);
	return [{ kind: 'labelled', label: 'Not counted', items }];
}

/** What of a red row can be accepted, as people type it: in a pull request, on the command line. */

import { NAME } from '../types/identifiers.ts';
import type { AcceptedRows, RedKind } from '../types/verdict.ts';

/** A kind of red row, or a size: what an acceptance says beside the cell. */
export type AcceptedWhat = Pick<AcceptedRows, 'kind' | 'upTo'>;

/** Each kind in the word for it. */
export const KIND_WORDS: Readonly<Record<RedKind, string>> = {
	regressed: 'regressed',
	broken: 'broken',
	removed: 'removed',
	'answer-changed': 'answer',
	'adds-to-drift': 'drift',
};

/** Stands for every cell. */
export const EVERY_CELL = 'all';

/** What may stand beside a cell, in words. */
export const WHAT_FORM = `a size such as -6%, or one of ${Object.values(KIND_WORDS).join(', ')}`;

const CELL = new RegExp(`^${NAME}/${NAME}$`);
/** Also as reports print it: `−6 %`. The sign says nothing: a size is that of a change for the worse. */
const SIZE = /^[-+−–]?(\d{1,4}(?:\.\d{1,6})?)[ \u00a0\u202f]?%$/u;
/** Largest size, in percent: a cost can rise by more than the whole of it. */
export const MOST_PERCENT = 1000;

/** Returns whether a text can be the name of a cell: `server/scenario`. */
export function isCellName(text: string): boolean {
	return CELL.test(text);
}

/** Returns what a word accepts; undefined when it is neither a kind nor a size above 0 %. */
export function readWhat(word: string): AcceptedWhat | undefined {
	const kind = (Object.keys(KIND_WORDS) as RedKind[]).find((name) => KIND_WORDS[name] === word);
	if (kind !== undefined) return { kind, upTo: null };
	const size = SIZE.exec(word)?.[1];
	if (size === undefined || Number(size) <= 0 || Number(size) > MOST_PERCENT) return undefined;
	// Shifting the decimal exponent rounds once, where dividing by 100 would round twice.
	return { kind: 'regressed', upTo: Number(`${size}e-2`) };
}

/** Returns the word that `readWhat` reads back; `all` for every kind. */
export function writeWhat({ kind, upTo }: AcceptedWhat): string {
	if (upTo !== null) return `-${Number((upTo * 100).toFixed(6))}%`;
	return kind === null ? EVERY_CELL : KIND_WORDS[kind];
}

/** Words by which people accept changes of a red row. */

import { NAME } from '../types/shared-names.ts';
import type { AcceptedRows, RedKind } from '../types/verdict.ts';

export type AcceptedWhat = Pick<AcceptedRows, 'kind' | 'upTo'>;

export const KIND_WORDS: Readonly<Record<RedKind, string>> = {
	regressed: 'regressed',
	broken: 'broken',
	removed: 'removed',
	'answer-changed': 'answer',
	'adds-to-drift': 'drift',
};

export const EVERY_CELL = 'all';

export const WHAT_FORM = `a size such as -6%, or one of ${Object.values(KIND_WORDS).join(', ')}`;

const CELL = new RegExp(`^${NAME}/${NAME}$`);
/** Matches also the form of reports: `−6 %`. The sign is ignored, because a size is always for the worse. */
const SIZE = /^[-+−–]?(\d{1,4}(?:\.\d{1,6})?)[ \u00a0\u202f]?%$/u;
/** In percent: a cost can rise by more than 100 %. */
export const MOST_PERCENT = 1000;

export function isCellName(text: string): boolean {
	return CELL.test(text);
}

/** Parses a kind, or a size above 0 %. Other words give undefined. */
export function readWhat(word: string): AcceptedWhat | undefined {
	const kind = (Object.keys(KIND_WORDS) as RedKind[]).find((name) => KIND_WORDS[name] === word);
	if (kind !== undefined) return { kind, upTo: null };
	const size = SIZE.exec(word)?.[1];
	if (size === undefined || Number(size) <= 0 || Number(size) > MOST_PERCENT) return undefined;
	// Shifting the decimal exponent rounds once; dividing by 100 would round twice.
	return { kind: 'regressed', upTo: Number(`${size}e-2`) };
}

/** Returns the word that `readWhat` parses; `all` means every kind. */
export function writeWhat({ kind, upTo }: AcceptedWhat): string {
	if (upTo !== null) return `-${Number((upTo * 100).toFixed(6))}%`;
	return kind === null ? EVERY_CELL : KIND_WORDS[kind];
}

import { NAME_LIMIT, plainText } from '../../text/escape.ts';
import { shortPath } from '../../text/impact-words.ts';
import { formatCount } from '../../text/numbers.ts';
import type { Phrase } from '../../text/phrase.ts';
import type { CodePlace, CountedFunction } from '../../types/explain/counts.ts';

export const STATES: Readonly<Record<CountedFunction['state'], string>> = {
	same: '',
	changed: 'changed here',
	new: 'new here',
	gone: 'gone',
};

export function nameWords({ name }: Pick<CodePlace, 'name'>): Phrase {
	return [{ code: plainText(name, NAME_LIMIT) }];
}

/** Returns `lib/router.js:122`. */
export function placeWords({ path, line }: Pick<CodePlace, 'path' | 'line'>): Phrase {
	const code = plainText(line > 0 ? `${shortPath(path)}:${line}` : shortPath(path), 2 * NAME_LIMIT);
	return [{ code, at: { path, line } }];
}

/** Returns an amount a request. */
export function formatWork(amount: number): string {
	return amount < 100 ? `${Number(amount.toFixed(2))}` : formatCount(amount);
}

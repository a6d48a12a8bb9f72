/**
 * A plain string is our own wording. Text from code under test or a config is wrapped, so no renderer can forget
 * to escape it.
 */
export type Piece =
	| string
	/** `to`: a trusted address. `at`: untrusted; see `linkCode`. */
	| { readonly code: string; readonly to?: string | undefined; readonly at?: CodePosition }
	/** Foreign prose, e.g. a fault's message. */
	| { readonly text: string }
	/** Our own wording, emphasised. */
	| { readonly strong: string };

export interface CodePosition {
	readonly path: string;
	readonly line: number;
	readonly lines?: number;
}

export type Phrase = readonly Piece[];

export interface PhraseStyle {
	readonly own: (text: string) => string;
	readonly code: (text: string, to?: string) => string;
	readonly text: (text: string) => string;
	readonly strong: (text: string) => string;
}

/** Treats interpolated strings as our own wording, and inserts interpolated phrases piece by piece. */
export function phrase(words: TemplateStringsArray, ...values: readonly (Piece | Phrase)[]): Phrase {
	const pieces: Piece[] = [];
	for (const [index, word] of words.entries()) {
		if (word !== '') pieces.push(word);
		const value = values[index];
		if (value === undefined || value === '') continue;
		if (isPhrase(value)) pieces.push(...value);
		else pieces.push(value);
	}
	return pieces;
}

export function joinPhrases(phrases: readonly Phrase[], separator: string): Phrase {
	return phrases.flatMap((each, index) => (index === 0 ? each : [separator, ...each]));
}

/** Returns `a, b and c`. */
export function joinAnd(phrases: readonly Phrase[]): Phrase {
	const last = phrases.at(-1) ?? [];
	return phrases.length < 2 ? last : phrase`${joinPhrases(phrases.slice(0, -1), ', ')} and ${last}`;
}

/** Returns `a, b and c`, for our own words. */
export function joinWords(words: readonly string[]): string {
	return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export function renderPhrase(pieces: Phrase, style: PhraseStyle): string {
	return pieces.map((piece) => renderPiece(piece, style)).join('');
}

/** Returns text without markup or escaping. */
export function plainPhrase(pieces: Phrase): string {
	const same = (text: string): string => text;
	return renderPhrase(pieces, { own: same, code: same, text: same, strong: same });
}

/** Capitalises our own first word. */
export function capitalised([first = '', ...others]: Phrase): Phrase {
	return [typeof first === 'string' ? first.charAt(0).toUpperCase() + first.slice(1) : first, ...others];
}

function renderPiece(piece: Piece, style: PhraseStyle): string {
	if (typeof piece === 'string') return style.own(piece);
	if ('code' in piece) return style.code(piece.code, piece.to);
	if ('text' in piece) return style.text(piece.text);
	return style.strong(piece.strong);
}

function isPhrase(value: Piece | Phrase): value is Phrase {
	return Array.isArray(value);
}

/** Returns `a, b and 3 more`, without repetitions. */
export function nameAll(names: readonly string[], most: number): string {
	const different = [...new Set(names)];
	const surplus = different.length - most;
	return `${different.slice(0, most).join(', ')}${surplus > 0 ? ` and ${surplus} more` : ''}`;
}

/** Links positions in code that have an address. */
export function linkCode(pieces: Phrase, urlOf: (at: CodePosition) => string | undefined): Phrase {
	return pieces.map((piece) =>
		typeof piece === 'object' && 'code' in piece && piece.at ? { code: piece.code, to: urlOf(piece.at) } : piece,
	);
}

export function countWords(pieces: Phrase): number {
	return plainPhrase(pieces).match(/\S+/g)?.length ?? 0;
}

export function limitWords(pieces: Phrase, most: number): Phrase {
	const words = [...plainPhrase(pieces).matchAll(/\S+/g)];
	const last = words[most - 1];
	if (words.length <= most || last === undefined) return pieces;
	let left = last.index + last[0].length;
	const kept = pieces.flatMap((piece): Phrase => {
		const text = plainPhrase([piece]).slice(0, left);
		left -= text.length;
		if (text === '') return [];
		if (typeof piece === 'string') return [text];
		if ('code' in piece) return [{ ...piece, code: text }];
		return 'text' in piece ? [{ text }] : [{ strong: text }];
	});
	return [...kept, '…'];
}

/** Serialises parameters by OpenAPI's `style` and `explode`, which RFC 6570 defines. */

/** Without nesting: a text, a list, or named texts. */
type Flat = string | readonly string[] | readonly (readonly [string, string])[];

export interface Manner {
	readonly place: 'path' | 'query' | 'header';
	readonly style: string;
	readonly explode: boolean;
}

/** Delimiters of the styles that need `explode: false`. */
const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** Applies the defaults of https://spec.openapis.org/oas/v3.1.1.html#style-values. */
export function mannerOf(
	{ style, explode }: { readonly style?: unknown; readonly explode?: unknown },
	place: Manner['place'],
): Manner {
	const styleName = typeof style === 'string' ? style : place === 'query' ? 'form' : 'simple';
	return { place, style: styleName, explode: typeof explode === 'boolean' ? explode : styleName === 'form' };
}

/**
 * Serialises a parameter, percent-encoded except in a header. A path's replaces the name in braces; a query's is pairs
 * joined by `&`. Returns undefined if the style cannot express the value. `textOf` returns the text of a plain value,
 * else undefined.
 */
export function writeParameter(
	name: string,
	value: unknown,
	{ place, style, explode }: Manner,
	textOf: (value: unknown) => string | undefined,
): string | undefined {
	const encode = place === 'header' ? (text: string) => text : encodePart;
	const flat = flatten(
		value,
		(one) => {
			const text = textOf(one);
			return text === undefined ? undefined : encode(text);
		},
		encode,
	);
	if (flat === undefined) return undefined;
	if (flat.length === 0 && (typeof flat !== 'string' || place === 'path')) return undefined;
	if (place === 'query') return writeQuery(encode(name), flat, style, explode);
	if (style === 'simple') return partsOf(flat, explode).join(',');
	if (place === 'header') return undefined;
	if (style === 'label') return `.${partsOf(flat, explode).join(explode ? '.' : ',')}`;
	return style === 'matrix' ? `;${namedParts(encode(name), flat, explode).join(';')}` : undefined;
}

function writeQuery(name: string, flat: Flat, style: string, explode: boolean): string | undefined {
	const isNamed = typeof flat !== 'string' && typeof flat[0] !== 'string';
	if (style === 'form') return namedParts(name, flat, explode).join('&');
	if (style === 'deepObject' && isNamed) {
		return (flat as readonly (readonly [string, string])[])
			.map(([key, text]) => `${name}%5B${key}%5D=${text}`)
			.join('&');
	}
	const delimiter = DELIMITERS[style];
	if (delimiter === undefined || (isNamed && explode)) return undefined;
	return explode ? namedParts(name, flat, explode).join('&') : `${name}=${partsOf(flat, explode).join(delimiter)}`;
}

function partsOf(flat: Flat, explode: boolean): string[] {
	if (typeof flat === 'string') return [flat];
	return flat.flatMap((part) => (typeof part === 'string' ? part : explode ? part.join('=') : [...part]));
}

function namedParts(name: string, flat: Flat, explode: boolean): string[] {
	if (!explode || typeof flat === 'string') return [`${name}=${partsOf(flat, explode).join(',')}`];
	return flat.map((part) => (typeof part === 'string' ? `${name}=${part}` : part.join('=')));
}

function flatten(
	value: unknown,
	textOf: (value: unknown) => string | undefined,
	encode: (text: string) => string,
): Flat | undefined {
	const wholeText = textOf(value);
	if (wholeText !== undefined) return wholeText;
	if (typeof value !== 'object' || value === null) return undefined;
	const isList = Array.isArray(value);
	const texts = Object.values(value).map(textOf);
	const definedTexts = texts.filter((text) => text !== undefined);
	if (definedTexts.length < texts.length) return undefined;
	return isList
		? definedTexts
		: Object.keys(value).map((key, at) => [encode(key), definedTexts[at] as string] as const);
}

export function encodePart(text: string): string {
	return encodeURIComponent(text.toWellFormed());
}

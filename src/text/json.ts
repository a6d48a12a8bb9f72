type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Parses JSON as npm and Node do, without a byte order mark. Throws a SyntaxError. */
export function parseJson(text: string, reviver?: Reviver): unknown {
	return JSON.parse(text.replace(/^\uFEFF/, ''), reviver);
}

/** A URL fragment: `#/row/koa/ping?from=1a2b3c4&abs=1`. */
export interface Address {
	readonly view: string;
	/** Decoded parts after the view. */
	readonly path: readonly string[];
	readonly query: Readonly<Record<string, string>>;
}

/** Parses a fragment; empty means the first view. */
export function readAddress(hash: string): Address {
	const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
	const [view = '', ...viewPath] = path.split('/').map(decode);
	return { view: view || 'now', path: viewPath, query: Object.fromEntries(new URLSearchParams(query)) };
}

/** Returns a fragment, without values that are empty. */
export function addressOf(
	view: string,
	path: readonly string[] = [],
	query: Readonly<Record<string, string>> = {},
): string {
	const parameters = Object.entries(query).filter(([, value]) => value !== '');
	const tail = parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
	return `#/${[view, ...path].map((part) => encodeURIComponent(part).replaceAll('%2C', ',')).join('/')}${tail}`;
}

/** Changes the query without adding a history entry. */
export function replaceQuery(address: Address, query: Readonly<Record<string, string>>): void {
	history.replaceState(null, '', addressOf(address.view, address.path, { ...address.query, ...query }));
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

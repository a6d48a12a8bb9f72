/** Blanks, control characters and backslashes, which different URL parsers read differently. */
const UNCLEAR = /[\0-\x20\x7f\\]/;
const RELATIVE = /^\.\.?\//;
/** SSH addresses as on GitHub: `git@HOST:OWNER/NAME`, `ssh://git@HOST/OWNER/NAME`. */
const BY_SSH = /^(?:ssh:\/\/git@(\w[\w.-]*)(?::\d+)?\/|git@(\w[\w.-]*):\/?)(?=[^/:])(.+)$/;

/**
 * Returns the https address for a `url` of `.gitmodules`, resolved against `parent` as git does and mapped from SSH;
 * null if it must not be fetched.
 */
export function submoduleAddress(url: string, parent: string | null): string | null {
	if (UNCLEAR.test(url)) return null;
	const [, long, short, path] = BY_SSH.exec(url) ?? [];
	const written = path === undefined ? url : `https://${long ?? short}/${path}`;
	if (RELATIVE.test(url)) return parent === null ? null : parse(new URL(url, `${parent.replace(/\/+$/, '')}/`).href);
	return parse(written);
}

function parse(text: string): string | null {
	const url = /^https:\/\/[^/]/i.test(text) ? URL.parse(text) : null;
	if (url === null) return null;
	url.hash = '';
	return url.href;
}

/** Returns whether two addresses share host and owner, so that one may get the other's credentials. */
export function hasSameOwner(address: string, other: string | null): boolean {
	const owner = ownerOf(address);
	return owner !== null && other !== null && owner === ownerOf(other);
}

function ownerOf(address: string): string | null {
	const { host, pathname } = new URL(address);
	const [, owner = '', name = ''] = pathname.split('/');
	return owner === '' || name === '' ? null : `${host}/${owner}`.toLowerCase();
}

/** Removes user name and password from an address. */
export function showAddress(url: string): string {
	return url.replace(/\/\/[^/@]*@/, '//');
}

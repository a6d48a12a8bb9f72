/** Which addresses submodules may be fetched from. */

/** Blanks, control characters and backslashes: URL parsers disagree about them. */
const UNCLEAR = /[\0-\x20\x7f\\]/;
const RELATIVE = /^\.\.?\//;
/** SSH forms of a repository on GitHub and similar hosts: `git@HOST:OWNER/NAME`, `ssh://git@HOST/OWNER/NAME`. */
const BY_SSH = /^(?:ssh:\/\/git@(\w[\w.-]*)(?::\d+)?\/|git@(\w[\w.-]*):\/?)(?=[^/:])(.+)$/;

/**
 * Returns the https address for a `url` of `.gitmodules`; null for one that is not followed. Relative URLs are resolved as git does,
 * against `parent`, the https address of the enclosing repository; SSH URLs map to https on the same host.
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

/** Returns whether two https addresses have the same host and owner, so that credentials for one may be sent to the other. */
export function hasSameOwner(address: string, other: string | null): boolean {
	const owner = ownerOf(address);
	return owner !== null && other !== null && owner === ownerOf(other);
}

function ownerOf(address: string): string | null {
	const { host, pathname } = new URL(address);
	const [, owner = '', name = ''] = pathname.split('/');
	return owner === '' || name === '' ? null : `${host}/${owner}`.toLowerCase();
}

/** Returns an address with any user name and password removed, also one that is not followed. */
export function showAddress(url: string): string {
	return url.replace(/\/\/[^/@]*@/, '//');
}

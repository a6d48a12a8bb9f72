/** Where a submodule may be fetched from. */

/** Blanks and control characters: programs disagree about what an address with one means. */
const UNCLEAR = /[\0-\x20\x7f\\]/;
const RELATIVE = /^\.\.?\//;
/** How GitHub and its like spell the same repository for ssh: `git@HOST:OWNER/NAME`, `ssh://git@HOST/OWNER/NAME`. */
const BY_SSH = /^(?:ssh:\/\/git@(\w[\w.-]*)(?::\d+)?\/|git@(\w[\w.-]*):\/?)(?=[^/:])(.+)$/;

/**
 * Returns the https address that a `url` of `.gitmodules` stands for, null for one that is not followed. Relative ones are resolved
 * against `parent`, the https address of the repository around, as git does; those of a host's ssh stand for its https.
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

/** Returns whether two https addresses are of one owner on one host, to whom what lets one into the first is no secret. */
export function hasSameOwner(address: string, other: string | null): boolean {
	const owner = ownerOf(address);
	return owner !== null && other !== null && owner === ownerOf(other);
}

function ownerOf(address: string): string | null {
	const { host, pathname } = new URL(address);
	const [, owner = '', name = ''] = pathname.split('/');
	return owner === '' || name === '' ? null : `${host}/${owner}`.toLowerCase();
}

/** Returns an address, or one that is not followed, without what may be a password. */
export function showAddress(url: string): string {
	return url.replace(/\/\/[^/@]*@/, '//');
}

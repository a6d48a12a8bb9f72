import type { PackageOverride } from '../../types/config.ts';
import type { Kind } from '../options/option-kinds.ts';

/** Name of a package as npm allows it, or of a built-in server that is about one. */
export const PACKAGE_NAME = '^(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*$';
/** What a package is replaced by. A comma separates items. */
export const PLACE = '^[^,\\u0000-\\u001f\\u007f]*[^,\\s\\u0000-\\u001f\\u007f]$';
export const PLACE_FORM = 'a folder, a tarball or a version, without commas, e.g. ./ergo, ./ergo-0.8.0.tgz or 0.8.0';

/** Packages to run instead of the pinned ones, separated by commas: `ergo=./folder`, `koa=2.16.4`. Each name once. */
export const PACKAGES: Kind<readonly PackageOverride[]> = {
	text: 'names',
	repeats: true,
	parse: (text) => {
		const items = text.split(',').map((item) => readItem(item.trim()));
		if (!items.every((item) => item !== undefined)) return undefined;
		return new Set(items.map(({ name }) => name)).size === items.length ? items : undefined;
	},
	form: `items separated by commas: NAME=PLACE, each package once, where PLACE is ${PLACE_FORM}`,
	write: (packages) => packages.map(({ name, place }) => `${name}=${place}`).join(','),
};

function readItem(item: string): PackageOverride | undefined {
	const at = item.indexOf('=');
	const [name, place] = [item.slice(0, at).trim(), item.slice(at + 1).trim()];
	if (at < 0 || !new RegExp(PACKAGE_NAME).test(name) || !new RegExp(PLACE, 'u').test(place)) return undefined;
	return { name, place };
}

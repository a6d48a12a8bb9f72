export interface Tag {
	readonly tag: string;
	/** The commit, also of an annotated tag. */
	readonly sha: string;
}

interface Version {
	/** The package before the `@`; null for `v1.2.3` and `1.2.3`. */
	readonly name: string | null;
	readonly numbers: readonly number[];
	readonly prerelease: readonly string[];
}

const VERSION = /^(?:(.+)@)?v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Returns the newest release, by version, among the tags `v1.2.3`, `1.2.3` and `NAME@1.2.3` of the package `name`.
 * `NAME@` tags take precedence. Prereleases count only without releases.
 */
export function newestRelease(tags: readonly Tag[], name: string | undefined): Tag | null {
	const versionTags = tags.flatMap((tag) => {
		const version = readVersion(tag.tag);
		return version === null || (version.name !== null && version.name !== name) ? [] : [{ tag, version }];
	});
	const namedTags = versionTags.filter(({ version }) => version.name !== null);
	const candidates = namedTags.length > 0 ? namedTags : versionTags;
	const releases = candidates.filter(({ version }) => version.prerelease.length === 0);
	const sorted = (releases.length > 0 ? releases : candidates).toSorted((one, other) =>
		compareVersions(other.version, one.version),
	);
	return sorted[0]?.tag ?? null;
}

export function isPrerelease(tag: string): boolean {
	return (readVersion(tag)?.prerelease.length ?? 0) > 0;
}

/** Whether a tag names no other package than `name`. */
export function isTagOf(tag: string, name: string | undefined): boolean {
	const version = readVersion(tag);
	return version === null || version.name === null || version.name === name;
}

/** Parses the output of `git for-each-ref --format=TAG_FORMAT refs/tags`. */
export function readTags(listed: string): Tag[] {
	return listed.split('\n').flatMap((line): Tag[] => {
		const [tag = '', sha = '', peeled = ''] = line.split(' ');
		return tag === '' ? [] : [{ tag, sha: peeled || sha }];
	});
}

export const TAG_FORMAT = '%(refname:strip=2) %(objectname) %(*objectname)';

function readVersion(tag: string): Version | null {
	const match = VERSION.exec(tag);
	if (match === null) return null;
	const [, name = null, major, minor, patch, prerelease = ''] = match;
	const parts = prerelease === '' ? [] : prerelease.split('.');
	return { name, numbers: [Number(major), Number(minor), Number(patch)], prerelease: parts };
}

/** Negative if `one` is older (Semantic Versioning 2.0.0, section 11). */
function compareVersions(one: Version, other: Version): number {
	for (const [index, number] of one.numbers.entries()) {
		const difference = number - (other.numbers[index] as number);
		if (difference !== 0) return difference;
	}
	if (one.prerelease.length === 0 || other.prerelease.length === 0)
		return other.prerelease.length - one.prerelease.length;
	for (const [index, part] of one.prerelease.entries()) {
		const against = other.prerelease[index];
		if (against === undefined) return 1;
		const difference = comparePart(part, against);
		if (difference !== 0) return difference;
	}
	return one.prerelease.length - other.prerelease.length;
}

function comparePart(one: string, other: string): number {
	const [a, b] = [/^\d+$/.test(one), /^\d+$/.test(other)];
	if (a && b) return Number(one) - Number(other);
	if (a !== b) return a ? -1 : 1;
	return one < other ? -1 : one > other ? 1 : 0;
}

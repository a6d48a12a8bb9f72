const NEWEST = 5;

/**
 * Returns the version a range that matches nothing was most likely meant to be: the newest that begins with the same
 * numbers, as many of them as possible; when not even the major exists, the newest of the nearest major (the greater of
 * two). Releases go before prereleases. Undefined for a range without numbers, like a tag.
 *
 * @param versions In ascending order.
 */
export function nearestVersion(range: string, versions: readonly string[]): string | undefined {
	const wanted = numbersOf(range);
	const [major] = wanted;
	if (major === undefined) return undefined;
	for (let length = wanted.length; length > 0; length--) {
		const found = newest(versions.filter((version) => beginsWith(version, wanted.slice(0, length))));
		if (found !== undefined) return found;
	}
	const distance = (version: string) => Math.abs((numbersOf(version)[0] ?? 0) - major);
	const shortest = Math.min(...versions.map(distance));
	return newest(versions.filter((version) => distance(version) === shortest));
}

/** Returns the newest versions, newest first; prereleases only when there is nothing else. */
export function newestVersions(versions: readonly string[]): string[] {
	return releasesOf(versions).slice(-NEWEST).reverse();
}

function newest(versions: readonly string[]): string | undefined {
	return releasesOf(versions).at(-1);
}

function releasesOf(versions: readonly string[]): readonly string[] {
	const releases = versions.filter((version) => !version.includes('-'));
	return releases.length > 0 ? releases : versions;
}

/** Numbers at the start of a version or range: `^5.1` → [5, 1]. */
function numbersOf(text: string): number[] {
	const core = /\d+(?:\.\d+){0,2}/.exec(text)?.[0];
	return core === undefined ? [] : core.split('.').map(Number);
}

function beginsWith(version: string, numbers: readonly number[]): boolean {
	const own = numbersOf(version);
	return numbers.every((number, index) => own[index] === number);
}

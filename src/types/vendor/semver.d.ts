/** The functions of semver that benchgate uses; the package has no types of its own. */
declare module 'semver/functions/satisfies.js' {
	/** Whether a version is in a range; false if the range is malformed. */
	export default function satisfies(
		version: string,
		range: string,
		options?: { readonly includePrerelease?: boolean },
	): boolean;
}
declare module 'semver/ranges/valid.js' {
	/** Returns the range in its shortest form, null if it is malformed. */
	export default function validRange(range: string): string | null;
}

declare module 'semver/functions/valid.js' {
	export default function valid(version: string): string | null;
}

declare module 'semver/ranges/max-satisfying.js' {
	export default function maxSatisfying(versions: readonly string[], range: string): string | null;
}

import type { BuildNote } from '../../types/result.ts';

/** A tarball inside a cache entry, as a package manager packs it. */
export interface PackedPackage {
	readonly name: string;
	readonly version: string;
	/** Name of the file in the entry's folder. */
	readonly file: string;
	/** SHA-256 of the file. */
	readonly digest: string;
}

/** The subject of a side ready to be installed: its tarball, and those of workspace packages it depends on. */
export interface PackedSubject {
	/** Absolute folder of the tarballs. */
	readonly folder: string;
	readonly subject: PackedPackage;
	readonly siblings: readonly PackedPackage[];
	/** How what was missing was built; absent when nothing was. */
	readonly built?: BuildNote;
	/** What was left out all the same, as the words of a warning; absent when nothing was. */
	readonly incomplete?: string;
}

/** What the marker of a `tarballs` entry holds. */
export type PackedNote = Omit<PackedSubject, 'folder'>;

/** A packed package and where it lies. */
export interface PlacedPackage extends PackedPackage {
	/** Absolute folder of the tarball. */
	readonly folder: string;
}

/** Returns the packages of a subject with where they lie, the subject first; none for null. */
export function packagesOf(packed: PackedSubject | null): readonly PlacedPackage[] {
	if (packed === null) return [];
	return [packed.subject, ...packed.siblings].map((each) => ({ ...each, folder: packed.folder }));
}

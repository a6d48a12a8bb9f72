import type { BuildNote } from '../../types/result.ts';

export interface PackedPackage {
	readonly name: string;
	readonly version: string;
	/** File name in the entry's folder. */
	readonly file: string;
	readonly digest: string;
}

/** A side's subject and the workspace packages it depends on, ready to install. */
export interface PackedSubject {
	readonly folder: string;
	readonly subject: PackedPackage;
	readonly siblings: readonly PackedPackage[];
	readonly built?: BuildNote;
	/** Warning about files still missing. */
	readonly incomplete?: string;
}

export type PackedNote = Omit<PackedSubject, 'folder'>;

export interface PlacedPackage extends PackedPackage {
	readonly folder: string;
}

/** The subject comes first. */
export function packagesOf(packed: PackedSubject | null): readonly PlacedPackage[] {
	if (packed === null) return [];
	return [packed.subject, ...packed.siblings].map((each) => ({ ...each, folder: packed.folder }));
}

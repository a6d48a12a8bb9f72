/** Files that differ between two revisions. */

export type FileMode = '100644' | '100755' | '120000' | '160000';

/** `content` is a link's target, a submodule's commit. */
export interface FileState {
	readonly mode: FileMode;
	readonly content: Uint8Array;
}

/** `path` is untrusted. */
export interface ChangedFile {
	readonly path: string;
	readonly base: FileState | null;
	readonly head: FileState | null;
}

export interface FileVersion {
	readonly path: string;
	readonly state: FileState | null;
}

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

/** Lines of head, from 1. */
export interface LineRange {
	readonly first: number;
	readonly last: number;
}

/** By path in head: lines that are new, or that follow removed ones. */
export type ChangedLines = ReadonlyMap<string, readonly LineRange[]>;

/** A file of a folder; `link` is the target of a symbolic link. */
export interface ListedFile {
	/** Relative to the folder, with `/`. */
	readonly path: string;
	readonly link?: string;
	/** A path that git tracks and the folder lacks: an unfilled submodule, or a file outside a sparse checkout. */
	readonly indexed?: IndexEntry;
}

/** An entry of git's index. */
export interface IndexEntry {
	/** `160000` for a submodule. */
	readonly mode: string;
	readonly hash: string;
	/** Absolute path of the work tree, and the path of the entry relative to it. */
	readonly folder: string;
	readonly path: string;
}

/** Mode of a submodule in trees and in the index: its hash is a commit of another repository. */
export const SUBMODULE = '160000';

interface Described {
	/** As the user typed it. */
	readonly revision: string;
	/** Short and readable: `v5.1.0`, `main@1a2b3c4`, `express@5.1.0`. */
	readonly label: string;
	/** Identifies the content: equal for equal code, whatever the revision is called. */
	readonly content: string;
}

export interface GitSource extends Described {
	readonly kind: 'git';
	/** Top folder of the user's repository (the git folder itself when bare). */
	readonly repository: string;
	readonly sha: string;
}

export interface DirSource extends Described {
	readonly kind: 'dir';
	/** Absolute. */
	readonly folder: string;
	readonly files: readonly ListedFile[];
}

export interface NpmSource extends Described {
	readonly kind: 'npm';
	readonly name: string;
	/** Exact. */
	readonly version: string;
}

export interface FileSource extends Described {
	readonly kind: 'file';
	/** Absolute. */
	readonly path: string;
}

/** A revision found: enough to make a checkout or a tarball of it, nothing made yet. */
export type Source = GitSource | DirSource | NpmSource | FileSource;

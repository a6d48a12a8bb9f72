import type { FileVersion } from '../../types/difference.ts';

/** `link` is the target of a symlink. */
export interface ListedFile {
	/** Relative to the folder, with `/`. */
	readonly path: string;
	readonly link?: string;
	/** Tracked but missing. */
	readonly indexed?: IndexEntry;
}

export interface IndexEntry {
	readonly mode: string;
	readonly hash: string;
	/** Absolute work tree; `path` is relative to it. */
	readonly folder: string;
	readonly path: string;
}

/** Mode of a submodule, whose hash is a commit of another repository. */
export const SUBMODULE = '160000';

interface Described {
	/** As typed. */
	readonly revision: string;
	/** For reports: `v5.1.0`, `main@1a2b3c4`, `express@5.1.0`. */
	readonly label: string;
	/** Equal for sources with equal code. */
	readonly content: string;
	/** Files that replace its own; part of `content`. */
	readonly replaced?: readonly FileVersion[];
}

export interface GitSource extends Described {
	readonly kind: 'git';
	/** Top folder, or the git folder if bare. */
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
	readonly version: string;
}

export interface FileSource extends Described {
	readonly kind: 'file';
	/** Absolute. */
	readonly path: string;
}

export type Source = GitSource | DirSource | NpmSource | FileSource;

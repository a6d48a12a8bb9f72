/** Whether a disk is full. */
import { statfsSync } from 'node:fs';

/** A disk with less room than this is full: a build needs more for a log alone. */
const LEAST_BYTES = 1024 * 1024;

/**
 * Returns whether a disk that one of `folders` lies on has no room left, or no room for another file. A program that cannot write
 * cannot always say so: the log it would say it in may lie on the same disk. A folder that is gone counts as one with room.
 */
export function isDiskFull(folders: readonly string[]): boolean {
	return folders.some((folder) => {
		try {
			const { bavail, bsize, files, ffree } = statfsSync(folder);
			// File systems without a table of files say 0 of 0.
			return bavail * bsize < LEAST_BYTES || (files > 0 && ffree === 0);
		} catch {
			return false;
		}
	});
}

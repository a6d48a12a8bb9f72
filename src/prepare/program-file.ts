/** Which files of a side are part of its program. */
import { constants } from 'node:fs';

/** Endings of what a server runs, as opposed to what it reads and writes. */
const CODE =
	/\.(?:[cm]?[jt]sx?|node|wasm|so|dylib|dll|exe|py|pyc|rb|php|phar|jar|class|war|pl|lua|ex|exs|beam|go|rs|java|kt|cs|sh)(?:\.\d+)*$/i;
const MANIFEST = /(?:^|\/)(?:package\.json|\.npmrc|\.env[\w.]*)$/;
/** Folders where tools and servers keep what they make at run time. */
const SCRATCH = /(?:^|\/)(?:\.cache|\.next\/cache|\.vite|\.turbo)\//;
/** Dotted names in `node_modules` are those of tools: `.bin`, `.package-lock.json`, `.prisma`. */
const INSTALLED = /(?:^|\/)node_modules\/(?!\.)/;
const EXECUTABLE = 0o111;

/**
 * Returns whether a file of a side is part of the program: code by its ending or its executable bit, and everything in
 * `node_modules`. A server may write everything else while it runs (data, logs, caches) and is not accused of it.
 */
export function isProgram(path: string, mode: number): boolean {
	if (SCRATCH.test(path)) return false;
	if (CODE.test(path) || MANIFEST.test(path) || INSTALLED.test(path)) return true;
	return (mode & constants.S_IFMT) === constants.S_IFREG && (mode & EXECUTABLE) !== 0;
}

/** Returns whether a file lies in `node_modules`, where a file that is added can take the place of another. */
export function isInstalled(path: string): boolean {
	return INSTALLED.test(path) && !SCRATCH.test(path);
}

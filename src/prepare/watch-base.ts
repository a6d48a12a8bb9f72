/** Ends a run in which something changed the files of base. */

import { constants } from 'node:fs';
import { EXIT, UserError } from '../types/errors.ts';
import { compareSideFiles, readSideFiles, type SideFiles } from './side-files.ts';

/** Endings of what a server runs, as opposed to what it reads and writes. */
const CODE =
	/\.(?:[cm]?[jt]sx?|node|wasm|so|dylib|dll|exe|py|pyc|rb|php|phar|jar|class|war|pl|lua|ex|exs|beam|go|rs|java|kt|cs|sh)(?:\.\d+)*$/i;

const MANIFEST = /(?:^|\/)(?:package\.json|\.npmrc|\.env[\w.]*)$/;

/** Folders where tools and servers keep what they make at run time. */
const SCRATCH = /(?:^|\/)(?:\.cache|\.next\/cache|\.vite|\.turbo)\//;

/** Dotted names in `node_modules` are those of tools: `.bin`, `.package-lock.json`, `.prisma`. */
const INSTALLED = /(?:^|\/)node_modules\/(?!\.)/;

const EXECUTABLE = 0o111;

/** Files an error names; the rest is counted. */
const NAMED = 5;

/** Knows the files of base as they were before the first line of head's code ran. */
export interface BaseWatch {
	/**
	 * To be called while no server has run yet. Throws UserError `workspace-changed` when any file of base was changed, removed
	 * or added.
	 */
	checkUntouched(): Promise<void>;
	/**
	 * To be called between rounds. Throws the same when a file of the program was changed or removed, or one was added to
	 * installed packages. What else a server of base may write itself, such as data, logs and caches, is left alone: who wrote
	 * it cannot be told.
	 */
	checkProgram(): Promise<void>;
}

/** Reads the files below `folders` and returns what compares them with what they are later. */
export async function watchBase(folders: Iterable<string>): Promise<BaseWatch> {
	const known: SideFiles[] = [];
	for (const folder of new Set(folders)) known.push(await readSideFiles(folder));
	const installed = known.some(({ files }) => [...files.keys()].some(isInstalled));
	const compare = async (counts: Counts) => {
		const touched: string[] = [];
		for (const side of known) touched.push(...(await findTouched(side, counts)));
		if (touched.length > 0) throw changedError(touched);
	};
	return {
		checkUntouched: () => compare({ changed: () => true, added: () => true }),
		// Where nothing is installed yet, the server may do that when it starts.
		checkProgram: () => compare({ changed: isProgram, added: (path) => installed && isInstalled(path) }),
	};
}

/** Which differences are a fault. */
interface Counts {
	readonly changed: (path: string, mode: number) => boolean;
	readonly added: (path: string) => boolean;
}

async function findTouched(side: SideFiles, counts: Counts): Promise<string[]> {
	const { changed, added } = await compareSideFiles(side);
	return [
		...changed.filter(({ path, mode }) => counts.changed(path, mode)).map(({ path }) => path),
		...added.filter(counts.added).map((path) => `${path} (new)`),
	];
}

function changedError(paths: readonly string[]): UserError {
	const sorted = [...paths].sort();
	const rest = sorted.length - NAMED;
	const listed = sorted.slice(0, NAMED).join(', ') + (rest > 0 ? `, and ${rest} more` : '');
	return new UserError({
		code: 'workspace-changed',
		where: 'the installed files of base',
		message: `they were changed after base was finished, while code of head could run: ${listed}. What base measures from then on is not base`,
		remedy:
			'look at what the build and the servers of head write; a server of your own that rewrites its own program when it starts has to do that in "prepare:" instead',
		exitCode: EXIT.nothingMeasured,
	});
}

// Which files of a side are part of its program.

/**
 * Returns whether a file of a side is part of the program: code by its ending or its executable bit, and everything in
 * `node_modules`. A server may write everything else while it runs (data, logs, caches) and is not accused of it.
 */
function isProgram(path: string, mode: number): boolean {
	if (SCRATCH.test(path)) return false;
	if (CODE.test(path) || MANIFEST.test(path) || INSTALLED.test(path)) return true;
	return (mode & constants.S_IFMT) === constants.S_IFREG && (mode & EXECUTABLE) !== 0;
}

/** Returns whether a file lies in `node_modules`, where a file that is added can take the place of another. */
function isInstalled(path: string): boolean {
	return INSTALLED.test(path) && !SCRATCH.test(path);
}

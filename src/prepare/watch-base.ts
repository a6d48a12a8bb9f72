/** Ends a run if base's files were changed. */
import { constants } from 'node:fs';
import { EXIT, UserError } from '../types/errors.ts';
import { compareSideFiles, readSideFiles, type SideFiles } from './side-files.ts';

const CODE =
	/\.(?:[cm]?[jt]sx?|node|wasm|so|dylib|dll|exe|py|pyc|rb|php|phar|jar|class|war|pl|lua|ex|exs|beam|go|rs|java|kt|cs|sh)(?:\.\d+)*$/i;

const MANIFEST = /(?:^|\/)(?:package\.json|\.npmrc|\.env[\w.]*)$/;

/** Folders that tools and servers write at run time. */
const SCRATCH = /(?:^|\/)(?:\.cache|\.next\/cache|\.vite|\.turbo)\//;

/** Dotted names in `node_modules` belong to tools: `.bin`, `.package-lock.json`, `.prisma`. */
const INSTALLED = /(?:^|\/)node_modules\/(?!\.)/;

const EXECUTABLE = 0o111;

const NAMED = 5;

/** Base's files before any code of head ran. */
export interface BaseWatch {
	/** Before any server runs: throws UserError `workspace-changed` if a file was changed, removed or added. */
	checkUntouched(): Promise<void>;
	/**
	 * Between rounds: throws the same for a changed or removed program file, or one added to installed packages. Base's
	 * servers may write other files (data, logs, caches).
	 */
	checkProgram(): Promise<void>;
}

export async function watchBase(folders: Iterable<string>): Promise<BaseWatch> {
	const snapshots: SideFiles[] = [];
	for (const folder of new Set(folders)) snapshots.push(await readSideFiles(folder));
	const installed = snapshots.some(({ files }) => [...files.keys()].some(isInstalled));
	const compare = async (counts: Counts) => {
		const touched: string[] = [];
		for (const side of snapshots) touched.push(...(await findTouched(side, counts)));
		if (touched.length > 0) throw changedError(touched);
	};
	return {
		checkUntouched: () => compare({ changed: () => true, added: () => true }),
		// If nothing is installed yet, the server may install when it starts.
		checkProgram: () => compare({ changed: isProgram, added: (path) => installed && isInstalled(path) }),
	};
}

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
	const moreCount = sorted.length - NAMED;
	const listed = sorted.slice(0, NAMED).join(', ') + (moreCount > 0 ? `, and ${moreCount} more` : '');
	return new UserError({
		code: 'workspace-changed',
		where: 'the installed files of base',
		message: `they were changed after base was finished, while code of head could run: ${listed}. What base measures from then on is not base`,
		remedy:
			'look at what the build and the servers of head write; a server of your own that rewrites its own program when it starts has to do that in "prepare:" instead',
		exitCode: EXIT.nothingMeasured,
	});
}

/** Counts code, by extension or executable bit, and files in `node_modules`. */
function isProgram(path: string, mode: number): boolean {
	if (SCRATCH.test(path)) return false;
	if (CODE.test(path) || MANIFEST.test(path) || INSTALLED.test(path)) return true;
	return (mode & constants.S_IFMT) === constants.S_IFREG && (mode & EXECUTABLE) !== 0;
}

/** In installed packages, an added file can shadow another. */
function isInstalled(path: string): boolean {
	return INSTALLED.test(path) && !SCRATCH.test(path);
}

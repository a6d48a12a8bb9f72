/** Ends a run in which something changed the files of base. */
import { EXIT, UserError } from '../types/errors.ts';
import { isInstalled, isProgram } from './program-file.ts';
import { compareSideFiles, readSideFiles, type SideFiles } from './side-files.ts';

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

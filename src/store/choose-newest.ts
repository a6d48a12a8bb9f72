/** Which files of a store are opened when only the newest baselines are wanted. */
import { isChangesFile } from '../formats/baseline/changes-file.ts';

/** How the names of records begin: with when they were measured. */
const STAMP = /^\d{8}T\d{6}Z-/;

export interface ChosenFiles {
	/** In the order they were given. */
	readonly opened: readonly string[];
	/** Baselines that are left closed. */
	readonly older: number;
}

/**
 * Chooses the `most` newest baselines by their names. What is not named as a record is always opened, so that it is told; notes on
 * changes are not.
 */
export function chooseNewest(paths: readonly string[], most: number): ChosenFiles {
	const records = paths.filter((path) => !isChangesFile(path) && STAMP.test(nameOf(path)));
	const byAge = records.toSorted((one, other) => (nameOf(one) < nameOf(other) ? 1 : -1));
	const closed = new Set(byAge.slice(most));
	return { opened: paths.filter((path) => !isChangesFile(path) && !closed.has(path)), older: closed.size };
}

function nameOf(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}

/** Changed code of all servers, for a file. */
import type { ChangedCode, CodeChange } from '../types/impact.ts';

/** A file has room for them. */
const MOST_CHANGES = 100;
const MODULES = 'node_modules/';

/** Returns changes of all servers, each once. `isKnown`: every cell was covered. */
export function listChanges(
	changes: readonly CodeChange[],
	isKnown: boolean,
): Pick<ChangedCode, 'changes' | 'omitted' | 'notExercised'> {
	const alike = Map.groupBy(changes, ({ kind, name, path, line, side }) =>
		JSON.stringify([kind, name, side, line, path.slice(path.lastIndexOf(MODULES) + 1)]),
	);
	const merged = [...alike.values()].flatMap(([first, ...others]) =>
		first ? [{ ...first, cells: [first, ...others].flatMap(({ cells }) => cells) }] : [],
	);
	const isRun = ({ cells }: CodeChange) => Number(cells.length > 0);
	const ranModules = new Set(merged.flatMap((change) => (isRun(change) ? moduleOf(change) : [])));
	// For import and for require.
	const isOtherForm = (change: CodeChange) => change.kind === 'file' && ranModules.has(moduleOf(change));
	const listed = merged.filter((change) => isRun(change) || !isOtherForm(change));
	return {
		changes: listed.toSorted((one, other) => isRun(one) - isRun(other)).slice(0, MOST_CHANGES),
		omitted: Math.max(0, listed.length - MOST_CHANGES),
		notExercised: isKnown ? listed.filter((change) => isRun(change) === 0).length : null,
	};
}

function moduleOf({ path }: CodeChange): string {
	return path.replace(/\.[cm]?js$/, '');
}

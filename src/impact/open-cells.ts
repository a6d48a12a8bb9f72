import type { CellCoverage } from '../types/coverage.ts';
import type { Impact } from '../types/impact.ts';

const MOST_AFFECTED = 3;

/**
 * Returns the cells that a short load leaves open: unaffected ones, and some that load changed code which no cell has
 * run so far.
 */
export function openCells(
	{ cells, changes }: Impact,
	coverage: ReadonlyMap<string, CellCoverage>,
): ReadonlySet<string> {
	const idle = new Set(changes.flatMap((change) => (change.cells.length === 0 ? change.path : [])));
	const isLoading = (id: string) => coverage.get(id)?.scripts.some(({ path }) => idle.has(path)) === true;
	const [unaffected, affected] = [true, false].map((isNull) =>
		[...cells].flatMap(([id, reason]) => ((reason === null) === isNull ? id : [])),
	) as [string[], string[]];
	return new Set([...unaffected, ...affected.filter(isLoading).slice(0, MOST_AFFECTED)]);
}

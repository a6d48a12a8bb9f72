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
	const all = [...cells];
	const unaffected = all.filter(([, reason]) => reason === null);
	const affected = all.filter(([id, reason]) => reason !== null && isLoading(id)).slice(0, MOST_AFFECTED);
	return new Set([...unaffected, ...affected].map(([id]) => id));
}

import type { RefusedCell } from '../../types/result.ts';
import { type Fault, REACHED_FAULTS } from '../../types/round.ts';
import { SIDES } from '../../types/units.ts';

/**
 * Returns the cell as refused, with the first fault of each side, and that somebody unknown reached for one; with the first of
 * nobody's where no side has any. Empty without faults.
 */
export function refuseCell(cell: string, faults: readonly Fault[]): RefusedCell[] {
	const reached = faults.find(({ side, code }) => side === null && REACHED_FAULTS.includes(code)) ?? [];
	const known = [...SIDES.flatMap((side) => faults.find((one) => one.side === side) ?? []), reached].flat();
	const [fault, ...others] = known.length > 0 ? known : faults.slice(0, 1);
	if (!fault) return [];
	return [others.length > 0 ? { cell, fault, others } : { cell, fault }];
}

import type { Laboratory } from '../measure/laboratory.ts';
import type { Prepared } from '../types/prepared.ts';

/**
 * Returns a laboratory that asks before it starts anything whether the program of base is still what was installed, and throws
 * what `prepared.checkBase` throws. Nothing of its lane runs meanwhile, so no window is disturbed.
 */
export function guardBase(laboratory: Laboratory, { checkBase }: Pick<Prepared, 'checkBase'>): Laboratory {
	if (checkBase === undefined) return laboratory;
	return {
		...laboratory,
		async verify(server, cells) {
			await checkBase();
			return laboratory.verify(server, cells);
		},
		async runRound(plan) {
			await checkBase();
			return laboratory.runRound(plan);
		},
	};
}

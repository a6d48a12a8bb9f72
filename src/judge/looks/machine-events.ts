import { median } from 'simple-statistics';
import { SIDES } from '../../types/units.ts';
import type { Sample } from './samples.ts';

/** Share of its own median rate below which a side is slow. */
export const SLOW = 0.7;
/** Of main rounds, one in this many may be thrown away. */
export const ROUNDS_PER_DISCARD = 10;

/**
 * Returns the positions of the main rounds in which the machine and not a side slowed down: in more than half of the round's
 * cells both sides ran below 70 % of their own median rate. At most one in ten of the `rounds` main rounds, earliest first.
 * `cells` are the main samples of each cell. The rule treats both sides alike and never looks at a difference, so it cannot
 * favour a verdict. Source: docs/statistics.md 6.6.
 */
export function machineEvents(cells: readonly (readonly Sample[])[], rounds: number): ReadonlySet<number> {
	const quota = Math.floor(rounds / ROUNDS_PER_DISCARD);
	if (quota === 0) return new Set();
	const turns = cells.flatMap((all) => {
		const samples = all.filter((sample) => !isBare(sample));
		if (samples.length === 0) return [];
		const limits = SIDES.map((side) => SLOW * median(samples.map((sample) => sample.rates[side] ?? 0)));
		return samples.map((sample) => ({ position: sample.position, slow: isSlow(sample, limits) }));
	});
	const events = [...Map.groupBy(turns, ({ position }) => position)].filter(
		([, all]) => all.filter(({ slow }) => slow).length > all.length / 2,
	);
	const positions = events.map(([position]) => position).sort((a, b) => a - b);
	return new Set(positions.slice(0, quota));
}

/** What counts nothing on purpose tells nothing of the machine's pace. */
function isBare({ cellRound: { windows, faults } }: Sample): boolean {
	return windows.length === 0 && faults.length === 0;
}

function isSlow(sample: Sample, limits: readonly number[]): boolean {
	return SIDES.every((side, index) => (sample.rates[side] ?? 0) < (limits[index] as number));
}

import { median } from 'simple-statistics';
import { SIDES } from '../types/units.ts';
import type { Evidence, Sample } from './evidence.ts';

const SLOW = 0.7;
/** Of main rounds, one in this many may be thrown away. */
export const ROUNDS_PER_DISCARD = 10;

/**
 * Returns the positions of the main rounds, among the first `seen` rounds, in which the machine and not a side slowed down:
 * in more than half of the round's cells both sides ran below 70 % of their own median rate. At most one round in ten,
 * earliest first. The rule treats both sides alike and never looks at a difference, so it cannot favour a verdict. Confirm
 * rounds are kept. Source: statistics.md 5.11.
 */
export function machineEvents(evidence: Evidence, seen: number): ReadonlySet<number> {
	const main = evidence.rounds.slice(0, seen).filter((round) => round.purpose === 'main');
	const quota = Math.floor(main.length / ROUNDS_PER_DISCARD);
	if (quota === 0) return new Set();
	const turns = new Map<number, { slow: number; cells: number }>();
	for (const all of evidence.main.values()) {
		const samples = all.filter((sample) => sample.position < seen);
		if (samples.length === 0) continue;
		const limits = SIDES.map((side) => SLOW * median(samples.map((sample) => sample.rates[side] ?? 0)));
		for (const sample of samples) {
			const turn = turns.get(sample.position) ?? { slow: 0, cells: 0 };
			turns.set(sample.position, { slow: turn.slow + Number(isSlow(sample, limits)), cells: turn.cells + 1 });
		}
	}
	const events = [...turns].filter(([, { slow, cells }]) => slow > cells / 2).map(([position]) => position);
	return new Set(events.sort((a, b) => a - b).slice(0, quota));
}

function isSlow(sample: Sample, limits: readonly number[]): boolean {
	return SIDES.every((side, index) => (sample.rates[side] ?? 0) < (limits[index] as number));
}

/** Calibrates injections by their effect on CPU time per request. */

import { costOfDrop } from '../../inject/injection.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import { planRound } from '../../plan/plan-round.ts';
import { roundDifferences } from '../../stats/differences.ts';
import type { Plan } from '../../types/plan.ts';
import type { SelftestTrial } from '../../types/selftest.ts';
import type { Fraction } from '../../types/units.ts';

/** Enough to distinguish an effect from noise. */
const PROBE_AMOUNT: Fraction = costOfDrop(0.15);
const PROBE_ROUNDS = 4;
/** Plausible range of the effect per amount. */
const LEAST_EFFECT = 0.5;
const MOST_EFFECT = 3;

/** `dCpu` is d of CPU time per request in each round. */
export interface Observation {
	readonly amount: Fraction;
	readonly dCpu: readonly number[];
}

export interface Calibrator {
	/** Rounds that `amountFor` must measure first. */
	roundsNeeded(server: string, drop: Fraction): number;
	/** Returns the amount for a drop. Probes an unknown server first. */
	amountFor(server: string, drop: Fraction, plan: Plan): Promise<Fraction>;
	learn(trial: SelftestTrial): void;
}

export interface CalibratorContext {
	/** Injects this amount into head. */
	readonly laboratory: (amount: Fraction) => Laboratory;
	readonly signal: AbortSignal;
	readonly onProbe: (server: string) => void;
}

export function createCalibrator({ laboratory, signal, onProbe }: CalibratorContext): Calibrator {
	const observations = new Map<string, Observation[]>();
	const note = (server: string, observation: Observation) =>
		observations.set(server, [...(observations.get(server) ?? []), observation]);
	return {
		roundsNeeded: (server, drop) => (drop === 0 || observations.has(server) ? 0 : PROBE_ROUNDS),
		async amountFor(server, drop, plan) {
			if (drop === 0) return 0;
			if (!observations.has(server)) {
				onProbe(server);
				note(server, { amount: PROBE_AMOUNT, dCpu: await probe(laboratory(PROBE_AMOUNT), plan, signal) });
			}
			return costOfDrop(drop) / effectOf(observations.get(server) ?? []);
		},
		learn: ({ server, amount, dCpu }) => {
			if (amount > 0) note(server, { amount, dCpu });
		},
	};
}

/**
 * Returns measured over injected CPU time per request; 1 without observations. Added work costs more than its own time
 * (docs/evaluation.md). Least squares through the origin.
 */
export function effectOf(observations: readonly Observation[]): number {
	let products = 0;
	let squares = 0;
	for (const { amount, dCpu } of observations) {
		for (const d of dCpu) {
			products += amount * Math.expm1(-d);
			squares += amount * amount;
		}
	}
	if (squares === 0) return 1;
	return Math.min(Math.max(products / squares, LEAST_EFFECT), MOST_EFFECT);
}

async function probe(laboratory: Laboratory, plan: Plan, signal: AbortSignal): Promise<number[]> {
	const cells = plan.cells.map(({ id }) => id);
	const differences: number[] = [];
	try {
		for (let round = 1; round <= PROBE_ROUNDS && !signal.aborted; round++) {
			const { cells: measured } = await laboratory.runRound(planRound(plan, round, cells, 'main'));
			differences.push(...measured.flatMap((cellRound) => roundDifferences(cellRound)['cpu-per-request'] ?? []));
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	}
	return differences;
}

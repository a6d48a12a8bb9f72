/** How much to inject for a drop, learnt from what injections have done to the CPU time per request of each server. */

import { costOfDrop } from '../../inject/injection.ts';
import type { Laboratory } from '../../measure/laboratory.ts';
import { planRound } from '../../plan/plan-round.ts';
import { roundDifferences } from '../../stats/differences.ts';
import type { Plan } from '../../types/plan.ts';
import type { SelftestTrial } from '../../types/selftest.ts';
import type { Fraction } from '../../types/units.ts';

/** Amount and rounds of the first look at a server: enough to tell an effect from noise. */
const PROBE_AMOUNT: Fraction = costOfDrop(0.15);
const PROBE_ROUNDS = 4;
/** What an amount may turn into at least and at most; beyond that something else is wrong. */
const LEAST_EFFECT = 0.5;
const MOST_EFFECT = 3;

/** An injected amount and what it did to one server: d of CPU time per request of each round. */
export interface Observation {
	readonly amount: Fraction;
	readonly dCpu: readonly number[];
}

export interface Calibrator {
	/** Rounds that `amountFor` will measure first. */
	roundsNeeded(server: string, drop: Fraction): number;
	/** Returns the amount with which a server drops by `drop`; probes the server first when nothing is known of it. */
	amountFor(server: string, drop: Fraction, plan: Plan): Promise<Fraction>;
	/** Takes note of what a trial's injection has done. */
	learn(trial: SelftestTrial): void;
}

export interface CalibratorContext {
	/** A laboratory whose head is injected with this amount. */
	readonly laboratory: (amount: Fraction) => Laboratory;
	readonly signal: AbortSignal;
	readonly onProbe: (server: string) => void;
}

/** Returns a calibrator that knows nothing yet. */
export function createCalibrator({ laboratory, signal, onProbe }: CalibratorContext): Calibrator {
	const known = new Map<string, Observation[]>();
	const note = (server: string, observation: Observation) =>
		known.set(server, [...(known.get(server) ?? []), observation]);
	return {
		roundsNeeded: (server, drop) => (drop === 0 || known.has(server) ? 0 : PROBE_ROUNDS),
		async amountFor(server, drop, plan) {
			if (drop === 0) return 0;
			if (!known.has(server)) {
				onProbe(server);
				note(server, { amount: PROBE_AMOUNT, dCpu: await probe(laboratory(PROBE_AMOUNT), plan, signal) });
			}
			return costOfDrop(drop) / effectOf(known.get(server) ?? []);
		},
		learn: ({ server, amount, dCpu }) => {
			if (amount > 0) note(server, { amount, dCpu });
		},
	};
}

/**
 * Returns what an injected fraction of a request's own CPU time is multiplied by until it shows in CPU time per request, 1 when
 * nothing is known: added work shows as more than itself (docs/evaluation.md). Least squares through the origin.
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
	const found: number[] = [];
	try {
		for (let round = 1; round <= PROBE_ROUNDS && !signal.aborted; round++) {
			const { cells: measured } = await laboratory.runRound(planRound(plan, round, cells, 'main'));
			found.push(...measured.flatMap((cellRound) => roundDifferences(cellRound)['cpu-per-request'] ?? []));
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	}
	return found;
}

/** Pure: figures of `benchmarks/database.ts`, a duet beside alternating windows. */
import { mean } from 'simple-statistics';
import { type Moments, momentsOf } from '../../src/stats/moments.ts';
import type { Design } from '../../src/types/config.ts';
import type { Fraction, Seconds } from '../../src/types/units.ts';
import { type Range, rangeOf, ratioOf } from './ranges.ts';

/** One round of one case in one design. */
export interface DatabaseRound {
	readonly name: string;
	readonly design: Design;
	readonly round: number;
	readonly seconds: Seconds;
	/**
	 * Log ratio head against base of throughput, and of the servers' CPU time per request with its sign turned: negative
	 * is worse.
	 */
	readonly d: number;
	readonly cpu: number | null;
	/** Idle share of the servers' CPUs in the counted time. */
	readonly idle: Fraction | null;
	/** CPU time of all programs except servers and generator, so with the database, as a share of one CPU. */
	readonly others: Fraction | null;
}

/** One design of a case, in log units. */
export interface DesignFigures {
	readonly rounds: number;
	readonly secondsPerRound: Seconds;
	readonly d: Range;
	readonly sd: number;
	readonly cpu: number | null;
	readonly idle: Fraction | null;
	readonly others: Fraction | null;
}

export interface CaseFigures {
	readonly name: string;
	readonly duet: DesignFigures;
	readonly alternating: DesignFigures;
	/** The duet's mean d over that of alternating windows: 1 if the duet shows the whole change. */
	readonly ratio: Range;
}

/** For a spread. */
const FEWEST = 2;

/** Returns the figures of each case with at least two rounds of both designs, in the order of measurement. */
export function describeCases(rounds: readonly DatabaseRound[]): CaseFigures[] {
	return [...new Set(rounds.map(({ name }) => name))].flatMap((name) => {
		const group = rounds.filter((one) => one.name === name);
		const duets = group.filter(({ design }) => design === 'duet');
		const alternating = group.filter(({ design }) => design === 'alternating');
		if (duets.length < FEWEST || alternating.length < FEWEST) return [];
		const [over, under] = [momentsOf(duets.map(({ d }) => d)), momentsOf(alternating.map(({ d }) => d))];
		if (over === null || under === null) return [];
		return [
			{
				name,
				duet: figuresOf(duets, over),
				alternating: figuresOf(alternating, under),
				ratio: ratioOf(over, under),
			},
		];
	});
}

function figuresOf(rounds: readonly DatabaseRound[], moments: Moments): DesignFigures {
	return {
		rounds: rounds.length,
		secondsPerRound: mean(rounds.map(({ seconds }) => seconds)),
		d: rangeOf(moments),
		sd: moments.sd,
		cpu: meanOfKnown(rounds.map(({ cpu }) => cpu)),
		idle: meanOfKnown(rounds.map(({ idle }) => idle)),
		others: meanOfKnown(rounds.map(({ others }) => others)),
	};
}

function meanOfKnown(values: readonly (number | null)[]): number | null {
	const numbers = values.filter((value) => value !== null);
	return numbers.length === 0 ? null : mean(numbers);
}

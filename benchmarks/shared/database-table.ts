/** Pure: what the rounds of `benchmarks/database.ts` say of a duet beside alternating windows. */
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
	/** Log ratio head against base of throughput, and of what CPU time of the servers a request takes, sign turned: negative is worse. */
	readonly d: number;
	readonly cpu: number | null;
	/** Share of the counted time in which the servers' CPU had nothing to do. */
	readonly idle: Fraction | null;
	/** CPU time of programs that are neither servers nor generator, the database among them, as a share of one CPU. */
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
	/** The duet's mean d over that of alternating windows: 1 where the duet finds what was planted at its size. */
	readonly ratio: Range;
}

/** No spread is known of fewer. */
const FEWEST = 2;

/** Returns the figures of each case that has at least two rounds of both designs, in the order in which they were first measured. */
export function describeCases(rounds: readonly DatabaseRound[]): CaseFigures[] {
	return [...new Set(rounds.map(({ name }) => name))].flatMap((name) => {
		const own = rounds.filter((one) => one.name === name);
		const duets = own.filter(({ design }) => design === 'duet');
		const alternating = own.filter(({ design }) => design === 'alternating');
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
	const known = values.filter((value) => value !== null);
	return known.length === 0 ? null : mean(known);
}

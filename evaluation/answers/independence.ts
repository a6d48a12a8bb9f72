/** Question 4: are rounds independent of each other and their d symmetric, as the rule needs? */
import { mean, median } from 'simple-statistics';
import { lag1Of } from '../../src/stats/moments.ts';
import { DESIGNS, type Design } from '../../src/types/config.ts';
import type { Independence } from '../results.ts';
import { roundsOf, type Series } from '../series.ts';
import { centred, spreadWithin } from './spread.ts';
import { planOf, sameSeries, turnsOf } from './turns.ts';

/** Fewest rounds of a cell for a correlation between successive rounds. */
const FEWEST = 8;
/** Robust SDs from the median beyond which a round is an outlier. */
const FAR = 4;

/** d of throughput of one cell in one series, in order. */
interface Stretch {
	readonly server: string;
	readonly cell: string;
	readonly d: readonly number[];
}

/**
 * Returns, for each design and cell of the servers against themselves, how d of throughput (log units) behaves from round to round,
 * over the `designs` and `matrix` series that have at least 8 rounds of the cell; these are timed as a comparison is. Of `live` series
 * only the restless cells would have as many. Everything is
 * taken around each series' own centre, and `lag1` is the mean over the series, weighted by rounds: of independent rounds it is
 * about −1/n on average for n rounds in a series, with a standard error of about 1/√rounds. `skew` is the sample skewness
 * G1 = g1 √(n (n − 1)) / (n − 2); its standard error for normal rounds is √(6 n (n − 1) / ((n − 2)(n + 1)(n + 3))). Sources:
 * Kendall 1954 (bias of lag 1), Joanes and Gill 1998 (G1).
 */
export function independence(series: readonly Series[]): readonly Independence[] {
	const same = sameSeries(series, 'designs', 'matrix');
	return DESIGNS.flatMap((design) => {
		const cells = Map.groupBy(
			same.flatMap((one) => stretchesOf(one, design)).filter(({ d }) => d.length >= FEWEST),
			({ cell }) => cell,
		);
		return [...cells.values()].map((stretches) => describe(design, stretches));
	});
}

/** Returns the sample skewness G1 of `values` (positive: the long tail is on the high side); 0 for equal values, NaN below 3. */
export function skewOf(values: readonly number[]): number {
	const n = values.length;
	if (n < 3) return Number.NaN;
	const residuals = centred([values], mean);
	const moment = (power: number) => mean(residuals.map((value) => value ** power));
	if (moment(2) === 0) return 0;
	return ((moment(3) / moment(2) ** 1.5) * Math.sqrt(n * (n - 1))) / (n - 2);
}

function stretchesOf(series: Series, design: Design): readonly Stretch[] {
	const plan = planOf(series, design);
	if (!plan) return [];
	const turns = roundsOf(series, design).flatMap((round) => turnsOf(plan, round));
	return [...Map.groupBy(turns, ({ cellRound }) => cellRound.cell)].map(([cell, some]) => ({
		cell,
		server: some[0]?.server ?? '',
		d: some.flatMap(({ d }) => d.throughput ?? []),
	}));
}

function describe(design: Design, stretches: readonly Stretch[]): Independence {
	const groups = stretches.map(({ d }) => d);
	const { count, sd, robustSd } = spreadWithin(groups);
	const weighed = groups.reduce((sum, d) => sum + d.length * (lag1Of(d) ?? 0), 0);
	const { server, cell } = stretches[0] as Stretch;
	return {
		design,
		server,
		cell,
		rounds: count,
		sd,
		robustSd,
		lag1: weighed / count,
		skew: skewOf(centred(groups, mean)),
		outliers: centred(groups, median).filter((value) => Math.abs(value) > FAR * robustSd).length,
	};
}

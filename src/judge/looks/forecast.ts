/** How many rounds a repeated run probably needs to decide a row. */
import { planLooks } from '../../plan/looks.ts';
import { LONGER_ROUNDS, USUAL_ROUNDS } from '../../plan/plan-run.ts';
import { normalCdf, studentQuantile } from '../../stats/distributions.ts';
import { END_ERROR } from '../../stats/estimate.ts';
import { RANKS_FROM } from '../../stats/location.ts';
import type { Cell } from '../../types/plan.ts';
import type { Fraction } from '../../types/units.ts';
import { limitsOf } from './sequential.ts';

/** Rounds so far, in log units; `sd` is null below two. */
export interface Seen {
	readonly rounds: number;
	readonly mean: number;
	readonly sd: number | null;
}

export interface Forecast {
	readonly rounds: number;
	/** Probability that this many rounds decide the row. */
	readonly probability: Fraction;
}

const LENGTHS = [6, 8, 10, 12, 14, 17, USUAL_ROUNDS, ...LONGER_ROUNDS];
const WANTED = 0.9;
const MORE = 1.3;

/** Prior of the spread: long-tailed, because busy machines have 10 % and more. */
const USUAL_SD = 0.025;
const SD_FACTOR = 1.6;
const SPREADS = Array.from({ length: 31 }, (_, step) => {
	const size = -4 + step / 3;
	return { sd: USUAL_SD * SD_FACTOR ** size, prior: Math.exp(-Math.abs(size)) };
});
/** Prior of the effect, in thresholds: most changes have none. */
const EFFECTS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16].flatMap((size) => [-size, size]);
const NO_EFFECT = 0.8;
/** Of a log likelihood. */
const NEGLIGIBLE = 12;

type Margins = Pick<Cell, 'threshold' | 'tolerance'>;

interface Hypothesis {
	readonly sd: number;
	readonly effect: number;
	readonly weight: number;
}

/**
 * Returns the fewest rounds that decide a row with a probability of 90 %, else the most and their smaller probability:
 * at least 6, clearly more than `seen`, at most 68 and `most`; null if none. `rows`: size of the family. Source:
 * docs/statistics.md 5.2.
 */
export function forecastRounds(seen: Seen, limits: Margins, rows: number, most: number): Forecast | null {
	const hypotheses = weigh(seen, -Math.log1p(-limits.threshold));
	let last: Forecast | null = null;
	for (const rounds of LENGTHS.filter((length) => length > MORE * seen.rounds && length <= most)) {
		const chance = chanceWith(rounds, limits, rows);
		last = { rounds, probability: hypotheses.reduce((sum, each) => sum + each.weight * chance(each), 0) };
		if (last.probability >= WANTED) break;
	}
	return last;
}

function weigh({ rounds, mean, sd: seenSd }: Seen, threshold: number): readonly Hypothesis[] {
	const effects = [0, ...EFFECTS.map((size) => size * threshold)];
	const all = SPREADS.flatMap(({ sd, prior }) =>
		effects.map((effect) => {
			const distance = rounds === 0 ? 0 : (rounds * (mean - effect) ** 2) / (2 * sd * sd);
			const scatter = seenSd === null ? 0 : ((rounds - 1) * seenSd * seenSd) / (2 * sd * sd);
			const share = effect === 0 ? NO_EFFECT : (1 - NO_EFFECT) / EFFECTS.length;
			return { sd, effect, log: Math.log(prior * share) - rounds * Math.log(sd) - distance - scatter };
		}),
	);
	const most = Math.max(...all.map(({ log }) => log));
	const likely = all.filter(({ log }) => log > most - NEGLIGIBLE);
	const sum = likely.reduce((total, { log }) => total + Math.exp(log - most), 0);
	return likely.map(({ sd, effect, log }) => ({ sd, effect, weight: Math.exp(log - most) / sum }));
}

/** Only the last look counts. */
function chanceWith(rounds: number, margins: Margins, rows: number): (hypothesis: Hypothesis) => Fraction {
	const { threshold, tolerance } = limitsOf(margins);
	const earlier = planLooks(Math.max(rounds, USUAL_ROUNDS)).filter((look) => look.rounds < rounds);
	const share = rounds < RANKS_FROM ? 1 : 0.5;
	const critical = (weight: 'weightUnchanged' | 'weightRegressed', family: number) => {
		const left = earlier.reduce((rest, look) => rest - look[weight], 1);
		return -studentQuantile((END_ERROR * left * share) / family, rounds - 1);
	};
	const [forPass, forRed] = [critical('weightUnchanged', 1), critical('weightRegressed', rows)];
	return ({ sd, effect }) => {
		const errors = (distance: number) => (distance * Math.sqrt(rounds)) / sd;
		const passes = exceeds(forPass, errors(effect - threshold), rounds - 1);
		const falls = exceeds(forRed, errors(tolerance - effect), rounds - 1);
		return passes + Math.min(falls, normalCdf(errors(threshold - effect)));
	};
}

/** P(T > t) of noncentral t by a normal approximation (Johnson and Welch 1940). */
function exceeds(t: number, noncentrality: number, df: number): Fraction {
	return normalCdf((noncentrality - t * (1 - 1 / (4 * df))) / Math.sqrt(1 + (t * t) / (2 * df)));
}

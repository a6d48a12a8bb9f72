import { planRun } from '../../plan/plan-run.ts';
import { estimateSeconds } from '../../plan/timing.ts';
import { studentQuantile } from '../../stats/distributions.ts';
import { END_ERROR } from '../../stats/estimate.ts';
import { RANKS_FROM } from '../../stats/location.ts';
import type { Config } from '../../types/config.ts';
import type { Cell, Look } from '../../types/plan.ts';
import type { ServerSpread, Support } from '../../types/selftest.ts';
import type { Fraction, Seconds } from '../../types/units.ts';
import { decidableWith, MOST_ADVISED, RANKS_FACTOR } from '../looks/spread.ts';

export interface Noise extends Pick<ServerSpread, 'server' | 'roundSd' | 'robustSd'> {
	/** If null, the plan's estimate counts. */
	readonly secondsPerRound: Seconds | null;
}

/** From 1 % in steps of 0.5 %. */
const THRESHOLDS: readonly Fraction[] = Array.from({ length: 200 * MOST_ADVISED - 1 }, (_, step) => (step + 2) / 200);
/** Probability that the look passes an unchanged row. */
const POWER = 0.8;
/** One row in this many goes on until its last look. */
const DOUBTFUL = 10;
/** Scenarios per server. They share its processes. */
const SCENARIOS = 6;

/**
 * Returns the smallest threshold that a matrix of `cells` rows can decide within `budget`, if all are as noisy as the
 * worst of `servers` (at least one) and one row in ten is doubtful. The time is the plan's, scaled to this machine.
 * Source: docs/selftest.md.
 */
export function supportOf(servers: readonly Noise[], cells: number, budget: Seconds, config: Config): Support {
	const needs = servers.map((spread) => ({
		server: spread.server,
		threshold: smallestThreshold(spread, cells, budget, config),
	}));
	const size = ({ threshold }: { readonly threshold: Fraction | null }) => threshold ?? Number.POSITIVE_INFINITY;
	const worst = needs.reduce((most, need) => (size(need) > size(most) ? need : most));
	return { cells, budget, ...worst };
}

function smallestThreshold(spread: Noise, count: number, budget: Seconds, config: Config): Fraction | null {
	const cells = matrixOf(count);
	const { looks, timing, design } = planRun({ ...withoutRounds(config), budgetSeconds: budget }, cells, []);
	const unmixed = { ...timing, soloRounds: 0 };
	const expected = estimateSeconds(matrixOf(1), 1, design, unmixed);
	const scale = (spread.secondsPerRound ?? expected) / expected;
	const doubtful = matrixOf(Math.ceil(count / DOUBTFUL));
	const supportedThreshold = THRESHOLDS.find((threshold) => {
		const passes = looks.find((look) => passesAt(look, spread, threshold));
		const decides = looks.find((look) => decidesAt(look, spread, threshold));
		if (passes === undefined || decides === undefined) return false;
		const more = Math.max(0, decides.rounds - passes.rounds);
		const forAll = estimateSeconds(cells, passes.rounds, design, timing);
		return scale * (forAll + estimateSeconds(doubtful, more, design, unmixed)) <= budget;
	});
	return supportedThreshold ?? null;
}

/** The distance is the sum of that for t and that for the power. */
function passesAt({ rounds, weightUnchanged }: Look, spread: Noise, threshold: Fraction): boolean {
	const level = END_ERROR * weightUnchanged * (rounds < RANKS_FROM ? 1 : 0.5);
	const distance = studentQuantile(POWER, rounds - 1) - studentQuantile(level, rounds - 1);
	return (distance * spreadAt(rounds, spread)) / Math.sqrt(rounds) <= -Math.log1p(-threshold);
}

function decidesAt({ rounds }: Look, spread: Noise, threshold: Fraction): boolean {
	return rounds > 1 && decidableWith(spreadAt(rounds, spread), rounds) <= threshold;
}

/** From 9 rounds on, ranks are used too. Outliers hardly affect them. */
function spreadAt(rounds: number, { roundSd, robustSd }: Noise): number {
	return rounds < RANKS_FROM ? roundSd : Math.min(roundSd, RANKS_FACTOR * robustSd);
}

function matrixOf(count: number): Cell[] {
	return Array.from({ length: count }, (_, index) => {
		const server = `server-${Math.floor(index / SCENARIOS)}`;
		const scenario = `scenario-${index % SCENARIOS}`;
		return { id: `${server}/${scenario}`, server, scenario, threshold: 0.05, tolerance: 0.025 };
	});
}

/** Only the budget shall limit the rounds. */
function withoutRounds({ rounds: _rounds, ...config }: Config): Config {
	return config;
}

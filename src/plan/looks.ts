/** The looks of a run, with their weights. */
import type { Look } from '../types/plan.ts';

/** docs/statistics.md, "Looking more than once". */
const LOOKS: readonly Look[] = [
	{ rounds: 4, weightRegressed: 0.02, weightUnchanged: 0.15 },
	{ rounds: 6, weightRegressed: 0.05, weightUnchanged: 0.15 },
	{ rounds: 9, weightRegressed: 0.12, weightUnchanged: 0.2 },
	{ rounds: 14, weightRegressed: 0.3, weightUnchanged: 0.22 },
	{ rounds: 20, weightRegressed: 0.51, weightUnchanged: 0.28 },
];
const LONGEST_FIXED = 20;
/** Growth from look to look after the fixed looks. */
const GROWTH = 1.5;
const WEIGHT_GROWTH = 1.7;
/** A look less than 20 % before the last one would cost weight and save nothing. */
const CLOSE = 1.2;

/**
 * Returns the looks of a run of at most `maxRounds` rounds (an integer from 1), the last at `maxRounds`; each kind of
 * weights adds up to 1. Beyond 20 rounds, looks follow by a factor of 1.5; weights of `regressed` grow by 1.7, because
 * a red is hard to get early. Source: docs/statistics.md 3.1.
 */
export function planLooks(maxRounds: number): Look[] {
	if (!Number.isInteger(maxRounds) || maxRounds < 1) {
		throw new RangeError(`maxRounds must be a whole number from 1, not ${maxRounds}`);
	}
	return maxRounds > LONGEST_FIXED ? extendLooks(maxRounds) : truncateLooks(maxRounds);
}

function truncateLooks(maxRounds: number): Look[] {
	return withLast(
		LOOKS.filter((look) => look.rounds * CLOSE <= maxRounds),
		maxRounds,
	);
}

function extendLooks(maxRounds: number): Look[] {
	const looks = [...LOOKS];
	for (let rounds = LONGEST_FIXED * GROWTH; rounds * CLOSE <= maxRounds; rounds *= GROWTH) {
		looks.push(following(looks, Math.round(rounds)));
	}
	looks.push(following(looks, maxRounds));
	const regressed = looks.reduce((sum, look) => sum + look.weightRegressed, 0);
	const unchanged = looks.reduce((sum, look) => sum + look.weightUnchanged, 0);
	const scaled = looks.map((look) => ({
		rounds: look.rounds,
		weightRegressed: look.weightRegressed / regressed,
		weightUnchanged: look.weightUnchanged / unchanged,
	}));
	return withLast(scaled.slice(0, -1), maxRounds);
}

function following(looks: readonly Look[], rounds: number): Look {
	const previous = looks.at(-1) as Look;
	return {
		rounds,
		weightRegressed: previous.weightRegressed * WEIGHT_GROWTH,
		weightUnchanged: previous.weightUnchanged,
	};
}

/** `unspent` removes floating-point residue. */
function withLast(looks: readonly Look[], maxRounds: number): Look[] {
	const regressed = looks.reduce((weightLeft, look) => weightLeft - look.weightRegressed, 1);
	const unchanged = looks.reduce((weightLeft, look) => weightLeft - look.weightUnchanged, 1);
	return [...looks, { rounds: maxRounds, weightRegressed: unspent(regressed), weightUnchanged: unspent(unchanged) }];
}

function unspent(weight: number): number {
	return Number(weight.toFixed(12));
}

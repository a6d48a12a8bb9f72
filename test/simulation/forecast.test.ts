import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median } from 'simple-statistics';
import { decide } from '../../src/judge/decide.ts';
import { forecastRounds } from '../../src/judge/looks/forecast.ts';
import { planLooks } from '../../src/plan/looks.ts';
import { createRandom } from '../../src/stats/random.ts';
import type { RowDecision } from '../../src/types/verdict.ts';
import { LAWS, PROMISED_NAMES } from './laws.ts';
import { planOf, roundsOf, USUAL } from './runs.ts';

// Follows the advice for rows that a short budget left open. Seeded, so the outcome is fixed.

const RUNS = 120;
const LONGEST = 20;
const PLAN = planOf({ cells: 1, ...USUAL });
/** Most changes have no effect. */
const EFFECTS = [0, 0, 0, 0, 0, 0, -0.03, -0.1, -0.25, 0.1].map(Math.log1p);

/** Returns the row after a budget of `rounds` rounds, and the number of rounds before its decision. */
function run(d: readonly number[]): { readonly row: RowDecision; readonly taken: number } {
	const plan = { ...PLAN, looks: planLooks(Math.max(LONGEST, d.length)) };
	const rounds = roundsOf(plan, [d]);
	const first = plan.looks.find(
		(look) => look.rounds < d.length && decide(plan, rounds.slice(0, look.rounds), null).undecided.length === 0,
	);
	const taken = first?.rounds ?? d.length;
	return { row: decide(plan, rounds.slice(0, taken), first ? null : 'budget').rows[0] as RowDecision, taken };
}

test('the advised number of rounds decides most rows that a short budget left open, and rarely exceeds the need by far', () => {
	const random = createRandom(35);
	const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
	const followed = Array.from({ length: RUNS }, () => {
		const [law, effect, sd] = [pick(PROMISED_NAMES), pick(EFFECTS), 0.025 * 1.6 ** random.normal()];
		const draw = (rounds: number) => LAWS[law](random, rounds, sd).map((noise) => effect + noise);
		const { row } = run(draw(pick([1, 2, 3, 4, 6])));
		if (row.verdict !== 'inconclusive' || !row.estimate) return null;
		const { rounds, mean, sd: seenSd } = { ...row.estimate, mean: row.estimate.centre };
		const seen = { rounds, mean, sd: rounds < 2 ? null : seenSd };
		const advised = forecastRounds(seen, USUAL, 1, Number.POSITIVE_INFINITY);
		assert.ok(advised);
		const { row: again, taken } = run(draw(advised.rounds));
		return { isDecided: again.verdict !== 'inconclusive', times: advised.rounds / taken };
	}).filter((one) => one !== null);
	const decided = followed.filter(({ isDecided }) => isDecided);
	assert.ok(followed.length > RUNS / 2, `${followed.length} rows were left open`);
	assert.ok(decided.length >= 0.8 * followed.length, `${decided.length} of ${followed.length} decided`);
	assert.ok(median(decided.map(({ times }) => times)) <= 3);
});

test('the noisier a row was, the more rounds are advised; few rounds never suffice for ten times the noise', () => {
	const advised = (sd: number) => forecastRounds({ rounds: 5, mean: 0, sd }, USUAL, 1, Number.POSITIVE_INFINITY);
	assert.deepEqual(
		[0.01, 0.05, 0.08].map((sd) => advised(sd)?.rounds),
		[8, 14, 45],
	);
	assert.ok((advised(0.4)?.probability ?? 1) < 0.5);
	assert.equal(forecastRounds({ rounds: 60, mean: 0, sd: 0.1 }, USUAL, 1, 100), null);
});

test('a clear slowdown needs fewer rounds than one near the limit', () => {
	const advised = (mean: number) => forecastRounds({ rounds: 4, mean, sd: 0.06 }, USUAL, 1, 100);
	assert.ok((advised(-0.3)?.rounds ?? 0) < (advised(-0.06)?.rounds ?? 0));
});

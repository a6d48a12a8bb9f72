import { ALPHA, addLook, type Limits, limitsOf, type SequentialP, UNTESTED } from '../../src/judge/looks/sequential.ts';
import { claimOf } from '../../src/judge/rule.ts';
import type { Location } from '../../src/stats/location.ts';
import { benjaminiHochberg } from '../../src/stats/multiple-testing.ts';
import type { Look, Plan } from '../../src/types/plan.ts';
import type { Verdict } from '../../src/types/verdict.ts';
import { locateByT, priorOf } from './moderate.ts';

/** One cell at its latest look. */
export interface Line {
	readonly limits: Limits;
	/** d of the rounds up to that look. */
	readonly d: readonly number[];
	/** Their number. */
	readonly rounds: number;
	readonly look: Look | null;
	/** Null before the first look. */
	readonly location: Location | null;
	readonly test: SequentialP;
	/** Null while it is open; never after the last look. */
	readonly verdict: Verdict | null;
}

/**
 * Returns the end of a run whose cells' d are `d`, one list for each cell of `plan` in order: looks, weights, family
 * and verdicts of docs/statistics.md, but by t alone, without ranks, guards or confirmation. `shared`: moderates
 * variances by one prior of all cells, estimated anew at each look, with decided cells at the rounds they had. Looks
 * beyond the rounds are skipped; the last look before them then leaves rows inconclusive.
 */
export function judgeByT(plan: Plan, d: readonly (readonly number[])[], shared: boolean): readonly Line[] {
	const measured = Math.min(...d.map((values) => values.length));
	const looks = plan.looks.filter(({ rounds }) => rounds <= measured);
	const start = plan.cells.map(
		(cell): Line => ({
			limits: limitsOf(cell),
			d: [],
			rounds: 0,
			look: null,
			location: null,
			test: UNTESTED,
			verdict: null,
		}),
	);
	const end = looks.reduce((lines, look) => takeLook(lines, d, { look, shared, last: look === looks.at(-1) }), start);
	return end.map((line) => ({ ...line, verdict: line.verdict ?? 'inconclusive' }));
}

interface Step {
	readonly look: Look;
	readonly shared: boolean;
	readonly last: boolean;
}

function takeLook(lines: readonly Line[], d: readonly (readonly number[])[], { look, shared, last }: Step): Line[] {
	const seen = lines.map((line, cell) =>
		line.verdict ? line : { ...line, look, rounds: look.rounds, d: (d[cell] ?? []).slice(0, look.rounds) },
	);
	const prior = shared ? priorOf(seen.map((line) => line.d)) : null;
	const tested = seen.map((line) => {
		if (line.verdict) return line;
		const location = locateByT(line.d, prior);
		return { ...line, location, test: location ? addLook(line.test, location, line.limits, look) : line.test };
	});
	const drops = benjaminiHochberg(
		tested.map(({ test }) => test.regressed),
		ALPHA,
	);
	const rises = benjaminiHochberg(
		tested.map(({ test }) => test.improved),
		ALPHA,
	);
	return tested.map((line, cell) => {
		if (line.verdict || !line.location) return line;
		const significant = { drop: drops.has(cell), rise: rises.has(cell) };
		const claim = claimOf({ location: line.location, test: line.test, limits: line.limits }, significant, last);
		return claim ? { ...line, verdict: claim.verdict } : line;
	});
}

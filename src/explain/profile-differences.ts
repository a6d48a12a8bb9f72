import { studentSurvival } from '../stats/distributions.ts';
import { reachOf } from '../stats/location.ts';
import { momentsOf } from '../stats/moments.ts';
import { benjaminiHochberg } from '../stats/multiple-testing.ts';
import type { CostChange } from '../types/explain/profile.ts';
import type { Microseconds, Sides } from '../types/units.ts';
import type { Hits } from './read-profiles.ts';

const LEAST_SHARE_OF_SIDE = 0.005;
const LEAST_PART_OF_CHANGE = 0.1;
const FALSE_DISCOVERIES = 0.1;

export interface SideHits {
	readonly cost: Microseconds;
	readonly total: number;
	readonly hits: Hits;
}

/** By round. */
export type Series = Sides<readonly Microseconds[]>;

export interface FunctionDifference {
	readonly key: string;
	readonly cost: CostChange;
	readonly clear: boolean;
}

export interface Differences {
	readonly total: CostChange;
	readonly functions: readonly FunctionDifference[];
	readonly seriesOf: (key: string) => Series;
	readonly least: Microseconds;
}

/**
 * Returns changes, the largest first: the mean over rounds of C · hits(f) / Σ hits of head − base, so they add up
 * to that of C. Paired t (Student 1908); false discoveries: Benjamini and Hochberg 1995. Null below 2 rounds.
 */
export function differencesOf(rounds: readonly Sides<SideHits>[]): Differences | null {
	const counted = rounds.filter(({ base, head }) => [base, head].every(({ total, cost }) => total > 0 && cost > 0));
	const whole = changeOf({
		base: counted.map(({ base }) => base.cost),
		head: counted.map(({ head }) => head.cost),
	});
	if (whole === null) return null;
	const total = whole.cost;
	const use = ({ cost, hits, total: all }: SideHits, key: string) => (cost * (hits.get(key) ?? 0)) / all;
	const seriesOf = (key: string): Series => ({
		base: counted.map(({ base }) => use(base, key)),
		head: counted.map(({ head }) => use(head, key)),
	});
	const keys = new Set(counted.flatMap((round) => [...round.base.hits.keys(), ...round.head.hits.keys()]));
	const all = [...keys].flatMap((key) => {
		const change = changeOf(seriesOf(key));
		return change === null ? [] : [{ key, ...change }];
	});
	const candidates = all.filter(
		({ cost }) => cost.base >= LEAST_SHARE_OF_SIDE * total.base || cost.head >= LEAST_SHARE_OF_SIDE * total.head,
	);
	const least = Math.max(LEAST_SHARE_OF_SIDE * total.base, LEAST_PART_OF_CHANGE * Math.abs(total.change));
	const found = benjaminiHochberg(
		candidates.map(({ p }) => p),
		FALSE_DISCOVERIES,
	);
	const clear = new Set([...found].map((at) => candidates[at]?.key));
	return {
		total,
		functions: all
			.map(({ key, cost }) => ({ key, cost, clear: clear.has(key) && Math.abs(cost.change) >= least }))
			.toSorted((one, other) => Math.abs(other.cost.change) - Math.abs(one.cost.change)),
		seriesOf,
		least,
	};
}

/** Returns the change with its 95 % interval; null below 2 rounds. */
export function changeOf({ base, head }: Series): { readonly cost: CostChange; readonly p: number } | null {
	const moments = momentsOf(head.map((value, at) => value - (base[at] ?? 0)));
	if (moments === null || moments.df === 0) return null;
	const { mean: change, se, df } = moments;
	const reach = reachOf(moments);
	return {
		cost: { base: meanOf(base), head: meanOf(head), change, low: change - reach, high: change + reach },
		p: 2 * studentSurvival(Math.abs(change) / se, df),
	};
}

/** 0 if the interval holds 0. */
export function directionOf({ low, high }: Pick<CostChange, 'low' | 'high'>): -1 | 0 | 1 {
	if (low !== null && low > 0) return 1;
	return high !== null && high < 0 ? -1 : 0;
}

function meanOf(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}

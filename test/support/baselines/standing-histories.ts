/** Simulated histories, and how often their standings are right. Seeded and reproducible. */
import { trendOf } from '../../../src/trend/trend-of.ts';
import type { RowTrend, Standing } from '../../../src/types/trend.ts';
import { syntheticRecords } from './records.ts';

export interface Share {
	readonly histories: number;
	readonly slower: number;
	readonly unsettled: number;
	/** The interval contains the true level. */
	readonly covered: number;
	/** Settled, but the interval misses the true level. */
	readonly wrong: number;
}

const BEFORE_RELEASE = 20;
const BEFORE_STEP = 12;
const COMMITS = 50;

/** Standings of rows that changed by `size` (log ratio) in the released commit, `after` commits later. */
export function afterReleasedStep(histories: number, size: number, after: number): Share {
	return shareOf(histories, 0, (seed) => {
		const steps = [{ commit: BEFORE_RELEASE - 1, size }];
		const records = syntheticRecords({ seed, commits: 2 * BEFORE_RELEASE, cells: 1, eras: 2, steps });
		const levels = records.filter(({ purpose }) => purpose === 'level').slice(0, BEFORE_RELEASE + after);
		const links = records.filter(({ purpose }) => purpose === 'link');
		return standingOf(trendOf([...levels, ...links]).rows[0]);
	});
}

/** Standings after twelve level baselines and `count` baselines at `size` (log ratio). */
export function afterStep(histories: number, size: number, count: number): Share {
	return shareOf(histories, size, (seed) => {
		const steps = [{ commit: BEFORE_STEP, size }];
		return standingOf(trendOf(syntheticRecords({ seed, commits: BEFORE_STEP + count, cells: 1, steps })).rows[0]);
	});
}

/** Returns how many unchanged branches of fifty commits have a slower row, at each of the commits `at`. */
export function slowerInQuietBranches(histories: number, cells: number, at: readonly number[]): readonly number[] {
	const slower = at.map(() => 0);
	for (let seed = 1; seed <= histories; seed++) {
		const records = syntheticRecords({ seed, commits: COMMITS, cells });
		at.forEach((count, index) => {
			const { rows } = trendOf(records.slice(0, count));
			if (rows.some(({ standing }) => standing?.place === 'below')) slower[index] = (slower[index] as number) + 1;
		});
	}
	return slower;
}

/** Returns how many branches of 24 rows call the one row with a 5 % drop slower, after one, two and three commits. */
export function slowRowsFound(histories: number): readonly number[] {
	const cell = 'koa/query';
	const slowCounts = [0, 0, 0];
	for (let seed = 1; seed <= histories; seed++) {
		const steps = [{ commit: COMMITS - 3, size: Math.log(0.95), cell }];
		const records = syntheticRecords({ seed, commits: COMMITS, cells: 24, steps });
		slowCounts.forEach((_, index) => {
			const { rows } = trendOf(records.slice(0, COMMITS - 2 + index));
			const row = rows.find((each) => each.cell === cell);
			if (standingOf(row).place === 'below') slowCounts[index] = (slowCounts[index] as number) + 1;
		});
	}
	return slowCounts;
}

function shareOf(histories: number, truth: number, standing: (seed: number) => Standing): Share {
	const all = Array.from({ length: histories }, (_, index) => standing(index + 1));
	const count = (holds: (standing: Standing) => boolean) => all.filter(holds).length;
	const isCovered = ({ low, high }: Standing) => low <= truth && truth <= high;
	return {
		histories,
		slower: count(({ place }) => place === 'below'),
		unsettled: count(({ settled }) => !settled),
		covered: count(isCovered),
		wrong: count((each) => each.settled && !isCovered(each)),
	};
}

function standingOf(row: RowTrend | undefined): Standing {
	if (!row?.standing) throw new Error('the history has no level');
	return row.standing;
}

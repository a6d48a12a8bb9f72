/** Apache Otava beside our change points, on the same numbers. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Series } from '../series.ts';
import { changesIn, pointsOfValues } from './judge-history.ts';
import { type FoundAfterEach, scoreOf } from './score.ts';
import { DROPS, historiesOf, type TestedRule } from './test-rules.ts';

/** Of otava/series.py: what `otava analyze` uses unless told otherwise; and only steps we would tell of. */
const SETTINGS = [
	{ rule: 'Apache Otava, its defaults', drops: DROPS, window: 50, pvalue: 0.001, magnitude: 0 },
	{ rule: 'Apache Otava, steps of at least 1.25 %', drops: [0, 0.03], window: 50, pvalue: 0.001, magnitude: 0.0125 },
] as const;
/** It takes longer, so it gets every sixth history. */
const EVERY = 6;

/** What each finds in one series of Otava's own. */
export interface OtavaSeries {
	readonly name: string;
	readonly points: number;
	readonly otava: readonly number[];
	readonly ours: readonly number[];
}

/** Returns how Otava does on the histories that our rule is tested on. It is given the levels; it has no use for standard errors. */
export function compareWithOtava(series: readonly Series[], python: string): readonly TestedRule[] {
	return SETTINGS.map(({ rule, drops, ...settings }) => ({
		rule,
		scores: drops.map((drop) => {
			const histories = historiesOf(series, 'tested', drop).filter((_, index) => index % EVERY === 0);
			const lines = histories.map(({ points }) => {
				return { ...settings, each: true, values: points.map(({ theta }) => 1000 * Math.exp(theta)) };
			});
			return { drop, covered: null, score: scoreOf(histories, ask<FoundAfterEach>(python, lines)) };
		}),
	}));
}

/** Returns what both find in the series that stand in Otava's tests and examples. */
export function changesInOtavaData(python: string, checkout: string): readonly OtavaSeries[] {
	const text = execFileSync(python, [scriptOf('read-otava-data.py'), checkout], { encoding: 'utf8' });
	const series = JSON.parse(text) as { readonly name: string; readonly values: readonly number[] }[];
	const { rule: _rule, drops: _drops, ...settings } = SETTINGS[0];
	const found = ask<readonly number[]>(
		python,
		series.map(({ values }) => ({ ...settings, each: false, values })),
	);
	return series.map(({ name, values }, index) => ({
		name,
		points: values.length,
		otava: found[index] as readonly number[],
		ours: changesIn(pointsOfValues(values)).map(({ at }) => at),
	}));
}

function ask<T>(python: string, lines: readonly object[]): readonly T[] {
	const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
	const answer = execFileSync(python, [scriptOf('ask-otava.py')], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
	return answer
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as T);
}

function scriptOf(name: string): string {
	return fileURLToPath(new URL(name, import.meta.url));
}

/** Apache Otava beside our change points, on the same numbers. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Series } from '../series.ts';
import { changesIn, pointsOfValues } from './judge-history.ts';
import type { History } from './recorded-histories.ts';
import { type FoundAfterEach, type Score, scoreOf } from './score.ts';
import { DROPS, historiesOf, type TestedRule } from './test-rules.ts';

/** Of otava/series.py: what `otava analyze` uses unless told otherwise. */
const DEFAULTS = { window: 50, pvalue: 0.001 };
/** Any step, and only those we would tell of. */
const MAGNITUDES = [0, 0.0125] as const;
/** p-values to choose from on the histories that our rule was chosen on. */
const CHOICES = [1e-3, 1e-4, 1e-5, 1e-6];
/** Histories with a false alarm that may be. */
const MOST_FALSE = 0.05;
/** Of the drops, those that every rule is tested with. */
const FEW_DROPS = [0, 0.03];

export interface TunedOtava {
	readonly pvalue: number;
	readonly none: Score;
	readonly drop: Score;
}

/** What each finds in one series of Otava's own. */
export interface OtavaSeries {
	readonly name: string;
	readonly points: number;
	readonly otava: readonly number[];
	readonly ours: readonly number[];
}

/** Returns how Otava does on the histories that our rule was chosen on, for each p-value. */
export function tuneOtava(series: readonly Series[], python: string): readonly TunedOtava[] {
	return CHOICES.map((pvalue) => {
		const [none, drop] = FEW_DROPS.map((size) => {
			return judge(historiesOf(series, 'tuned', size), python, pvalue)[0] as Score;
		}) as [Score, Score];
		return { pvalue, none, drop };
	});
}

/**
 * Returns how Otava does on the histories that our rule is tested on: by its defaults, by its defaults with small steps left out, and
 * with the largest p-value that gave few false alarms in `tuned`. It is given the levels; it has no use for standard errors.
 */
export function compareWithOtava(
	series: readonly Series[],
	python: string,
	tuned: readonly TunedOtava[],
): readonly TestedRule[] {
	const byDrop = DROPS.map((drop) => {
		return { drop, scores: judge(historiesOf(series, 'tested', drop), python, DEFAULTS.pvalue) };
	});
	const rule = (name: string, index: number, drops: readonly number[]): TestedRule => ({
		rule: name,
		scores: byDrop
			.filter(({ drop }) => drops.includes(drop))
			.map(({ drop, scores }) => ({ drop, covered: null, score: scores[index] as Score })),
	});
	const chosen = tuned.find(({ none }) => none.falseAlarms <= MOST_FALSE * none.histories);
	const strict: readonly TestedRule[] =
		chosen === undefined
			? []
			: [
					{
						rule: `Apache Otava, p ≤ ${chosen.pvalue}, chosen for few false alarms`,
						scores: DROPS.map((drop) => {
							const [score] = judge(historiesOf(series, 'tested', drop), python, chosen.pvalue);
							return { drop, covered: null, score: score as Score };
						}),
					},
				];
	return [
		rule('Apache Otava, its defaults', 0, DROPS),
		rule('Apache Otava, steps of at least 1.25 %', 1, FEW_DROPS),
		...strict,
	];
}

/** Scores by magnitude. */
function judge(histories: readonly History[], python: string, pvalue: number): readonly Score[] {
	const found = ask<readonly FoundAfterEach[]>(
		python,
		histories.map(({ points }) => {
			const values = points.map(({ theta }) => 1000 * Math.exp(theta));
			return { ...DEFAULTS, pvalue, magnitudes: MAGNITUDES, each: true, values };
		}),
	);
	return MAGNITUDES.map((_, index) =>
		scoreOf(
			histories,
			found.map((each) => each[index] as FoundAfterEach),
		),
	);
}

/** Returns what both find in the series that stand in Otava's tests and examples. */
export function changesInOtavaData(python: string, checkout: string): readonly OtavaSeries[] {
	const text = execFileSync(python, [scriptOf('read-otava-data.py'), checkout], { encoding: 'utf8' });
	const series = JSON.parse(text) as { readonly name: string; readonly values: readonly number[] }[];
	const found = ask<readonly (readonly number[])[]>(
		python,
		series.map(({ values }) => ({ ...DEFAULTS, magnitudes: [0], each: false, values })),
	);
	return series.map(({ name, values }, index) => ({
		name,
		points: values.length,
		otava: found[index]?.[0] ?? [],
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

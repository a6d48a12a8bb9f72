/** Apache Otava beside our change points, on the same numbers. */
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { Series } from '../series.ts';
import { changesIn, pointsOfValues } from './judge-history.ts';
import type { History } from './recorded-histories.ts';
import { type FoundAfterEach, type Score, scoreOf } from './score.ts';
import { DROPS, historiesOf, type TestedRule } from './test-rules.ts';

/** Defaults of `otava analyze`, from otava/series.py. */
const DEFAULTS = { window: 50, pvalue: 0.001 };
/** Any step, and only those that our rule would report. */
const MAGNITUDES = [0, 0.0125] as const;
/** p-values to choose from, on the histories that our rule was chosen on. */
const CHOICES = [1e-3, 1e-4, 1e-5, 1e-6];
/** Largest share of histories with a false alarm. */
const MOST_FALSE = 0.05;
const PROCESSES = 4;
/** Of the drops that every rule is tested with. */
const FEW_DROPS = [0, 0.03];

export interface TunedOtava {
	readonly pvalue: number;
	/** On histories without a drop. */
	readonly none: Score;
}

/** Changes that each rule finds in one of Otava's series. */
export interface OtavaSeries {
	readonly name: string;
	readonly points: number;
	readonly otava: readonly number[];
	readonly ours: readonly number[];
}

/** Returns Otava's false alarms on the histories that our rule was chosen on, for each p-value. */
export function tuneOtava(series: readonly Series[], python: string): Promise<readonly TunedOtava[]> {
	return Promise.all(
		CHOICES.map(async (pvalue) => {
			const [none] = await judge(historiesOf(series, 'tuned', 0), python, pvalue);
			return { pvalue, none: none as Score };
		}),
	);
}

/**
 * Returns Otava's scores on the histories that our rule is tested on: with its defaults, with its defaults but without
 * small steps, and with the largest p-value that gave few false alarms in `tuned`. It gets only the levels; it does not
 * use standard errors.
 */
export async function compareWithOtava(
	series: readonly Series[],
	python: string,
	tuned: Promise<readonly TunedOtava[]>,
): Promise<readonly TestedRule[]> {
	const test = (pvalue: number, drops: readonly number[]) =>
		Promise.all(
			drops.map(async (drop) => {
				return { drop, scores: await judge(historiesOf(series, 'tested', drop), python, pvalue) };
			}),
		);
	const usual = test(DEFAULTS.pvalue, DROPS);
	const chosen = (await tuned).find(({ none }) => none.falseAlarms <= MOST_FALSE * none.histories)?.pvalue;
	const strict = chosen === undefined ? [] : await test(chosen, FEW_DROPS);
	const rule = (name: string, of: Awaited<typeof usual>, index: number): TestedRule => ({
		rule: name,
		scores: of.map(({ drop, scores }) => ({ drop, covered: null, score: scores[index] as Score })),
	});
	const few = (await usual).filter(({ drop }) => FEW_DROPS.includes(drop));
	return [
		rule('Apache Otava, its defaults', await usual, 0),
		rule('Apache Otava, steps of at least 1.25 %', few, 1),
		...(chosen === undefined ? [] : [rule(`Apache Otava, p ≤ ${chosen}, chosen for few false alarms`, strict, 0)]),
	];
}

/** Scores by magnitude. */
async function judge(histories: readonly History[], python: string, pvalue: number): Promise<readonly Score[]> {
	const answers = await ask<readonly FoundAfterEach[]>(
		python,
		histories.map(({ points }) => {
			const values = points.map(({ theta }) => 1000 * Math.exp(theta));
			return { ...DEFAULTS, pvalue, magnitudes: MAGNITUDES, each: true, values };
		}),
	);
	return MAGNITUDES.map((_, index) =>
		scoreOf(
			histories,
			answers.map((each) => each[index] as FoundAfterEach),
		),
	);
}

/** Returns the changes that both find in the series of Otava's tests and examples. */
export async function changesInOtavaData(python: string, checkout: string): Promise<readonly OtavaSeries[]> {
	const { stdout } = await execa(python, [scriptOf('read-otava-data.py'), checkout]);
	const series = JSON.parse(stdout) as { readonly name: string; readonly values: readonly number[] }[];
	const answers = await ask<readonly (readonly number[])[]>(
		python,
		series.map(({ values }) => ({ ...DEFAULTS, magnitudes: [0], each: false, values })),
	);
	return series.map(({ name, values }, index) => ({
		name,
		points: values.length,
		otava: answers[index]?.[0] ?? [],
		ours: changesIn(pointsOfValues(values)).map(({ at }) => at),
	}));
}

/** Lines are independent, so several processes share them. */
async function ask<T>(python: string, lines: readonly object[]): Promise<readonly T[]> {
	const size = Math.max(1, Math.ceil(lines.length / PROCESSES));
	const shares = Array.from({ length: Math.ceil(lines.length / size) }, (_, index) =>
		lines.slice(index * size, (index + 1) * size),
	);
	const answers = await Promise.all(
		shares.map(async (share) => {
			const input = share.map((line) => `${JSON.stringify(line)}\n`).join('');
			const { stdout } = await execa(python, [scriptOf('ask-otava.py')], { input, maxBuffer: 2 ** 28 });
			return stdout.split('\n').map((line) => JSON.parse(line) as T);
		}),
	);
	return answers.flat();
}

function scriptOf(name: string): string {
	return fileURLToPath(new URL(name, import.meta.url));
}

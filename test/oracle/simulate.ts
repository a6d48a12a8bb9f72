/**
 * Prints error rates and cost of the decision with simulated noise: the tables of docs/statistics.md. Run it with `node
 * test/oracle/simulate.ts`; it takes about half a minute. The seed determines every number.
 */
import { pathToFileURL } from 'node:url';
import { decide } from '../../src/judge/decide.ts';
import { ALPHA } from '../../src/judge/looks/sequential.ts';
import { studentCdf } from '../../src/stats/distributions.ts';
import { momentsOf } from '../../src/stats/moments.ts';
import { benjaminiHochberg } from '../../src/stats/multiple-testing.ts';
import { createRandom, type Random } from '../../src/stats/random.ts';
import type { RowDecision } from '../../src/types/verdict.ts';
import { scriptPlan, scriptRound } from '../support/rounds.ts';
import { bursts, heavyTailed, type Noise, normal, skewed, split } from './noises.ts';
import { printDecidable, printRanks } from './simulate-ranks.ts';
import { drawRounds, LIMITS, lookThrough, percentOf } from './single-row.ts';

/** Returns whether each of `rows` regression p-values of one family is rejected after all looks, without verdicts. */
export function rejectsAny(random: Random, noise: Noise, rows: number, effect: number, sd: number): boolean {
	const p = Array.from({ length: rows }, () => {
		const d = drawRounds(random, noise, effect, sd);
		return lookThrough(d).at(-1)?.regressed ?? 1;
	});
	return benjaminiHochberg(p, ALPHA).size > 0;
}

/**
 * Returns whether "paired t after every round from 5 to 20, red when p < 5 %" is ever red, which benchgate does not do.
 */
export function retriesUntilSignificant(random: Random, noise: Noise, effect: number, sd: number): boolean {
	const d = drawRounds(random, noise, effect, sd);
	return d.some((_, index) => {
		const moments = index < 4 ? null : momentsOf(d.slice(0, index + 1));
		return moments !== null && studentCdf((moments.mean - LIMITS.tolerance) / moments.se, moments.df) < ALPHA;
	});
}

/** Returns the final rows of a run of at most 20 rounds with one cell per true effect (log ratio). */
export function simulateRun(
	random: Random,
	noise: Noise,
	effects: readonly number[],
	sd: number,
): readonly RowDecision[] {
	const names = effects.map((_, index) => `cell-${index}`);
	const rounds = Array.from({ length: 20 }, (_, index) => {
		const turns = names.map((name, cell) => [
			name,
			{ d: (effects[cell] as number) + sd * noise(random), windows: [0] },
		]);
		return scriptRound(index + 1, Object.fromEntries(turns));
	});
	return decide(scriptPlan(names), rounds, 'rounds').rows;
}

/** Returns whether the interval shown with `row` holds the true effect. */
export function covers(row: RowDecision, effect: number): boolean {
	const change = Math.expm1(effect);
	const { low = null, high = null } = row.estimate?.interval ?? {};
	return (low === null || low <= change) && (high === null || change <= high);
}

function printSize(): void {
	console.log('\nTolerance boundary (every cell really drops by 2.5 %): some row significant, 5000 families each');
	console.log('| noise | 1 row | 10 rows | retry until significant, 1 row |\n| --- | --: | --: | --: |');
	for (const [name, noise] of Object.entries({ normal, heavyTailed, bursts, split, skewed })) {
		const random = createRandom(11);
		const share = (hit: () => boolean) => percentOf(Array.from({ length: 5000 }, hit));
		const one = share(() => rejectsAny(random, noise, 1, LIMITS.tolerance, 0.02));
		const ten = share(() => rejectsAny(random, noise, 10, LIMITS.tolerance, 0.02));
		const retry = share(() => retriesUntilSignificant(random, noise, LIMITS.tolerance, 0.02));
		console.log(`| ${name} | ${one} | ${ten} | ${retry} |`);
	}
}

function printVerdicts(): void {
	console.log('\nVerdicts, threshold 5 %, one cell, 1000 runs each');
	console.log(
		'| round SD | true drop | regressed | unchanged | inconclusive | mean rounds | interval holds the truth |',
	);
	console.log('| --- | --- | --: | --: | --: | --: | --: |');
	for (const [name, noise] of Object.entries({ normal, heavyTailed, split })) {
		for (const sd of [0.02, 0.03]) {
			for (const drop of [0, 0.025, 0.05, 0.075, 0.1]) {
				const random = createRandom(12);
				const effect = Math.log1p(-drop);
				const rows = Array.from({ length: 1000 }, () => simulateRun(random, noise, [effect], sd)[0] as RowDecision);
				const verdicts = ['regressed', 'unchanged', 'inconclusive'].map((verdict) =>
					percentOf(rows.map((row) => row.verdict === verdict)),
				);
				const rounds = rows.reduce((sum, row) => sum + (row.estimate?.rounds ?? 0), 0) / rows.length;
				const held = percentOf(rows.map((row) => covers(row, effect)));
				const cells = [`${sd * 100} % ${name}`, `${drop * 100} %`, ...verdicts, rounds.toFixed(1), held];
				console.log(`| ${cells.join(' | ')} |`);
			}
		}
	}
}

function printGates(): void {
	console.log('\nGate red, ten cells, round SD 2 %, 500 runs each');
	console.log('| truth | gate red |\n| --- | --: |');
	const ten = (effect: number) => Array<number>(10).fill(effect);
	for (const [name, effects] of [
		['A/A', ten(0)],
		['every cell at the tolerance (−2.5 %)', ten(LIMITS.tolerance)],
		['one cell −5 %', [LIMITS.threshold, ...ten(0).slice(1)]],
		['one cell −7.5 %', [Math.log1p(-0.075), ...ten(0).slice(1)]],
		['one cell −10 %', [Math.log1p(-0.1), ...ten(0).slice(1)]],
	] as const) {
		const random = createRandom(13);
		const runs = Array.from({ length: 500 }, () => simulateRun(random, normal, effects, 0.02));
		console.log(`| ${name} | ${percentOf(runs.map((rows) => rows.some((row) => row.verdict === 'regressed')))} |`);
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	printSize();
	printVerdicts();
	printRanks();
	printDecidable();
	printGates();
}

import { ALPHA, limitsOf } from '../../src/judge/looks/sequential.ts';
import { smallestDecidable } from '../../src/judge/looks/spread.ts';
import { momentsOf } from '../../src/stats/moments.ts';
import { createRandom } from '../../src/stats/random.ts';
import { bursts, heavyTailed, type Noise, normal, split } from './noises.ts';
import { decideRow, drawRounds, type Locate, lookThrough, percentOf, tAlone, tAndRanks } from './single-row.ts';

/** Prints the gain of ranks if processes settle into different speeds, and their cost with normal noise. */
export function printRanks(): void {
	console.log('\nOne cell, spread of most rounds 2 %, 2000 runs each: t alone, and t with ranks from 9 rounds on');
	console.log('| noise | true drop | decided, t alone | with ranks | mean rounds, t alone | with ranks |');
	console.log('| --- | --: | --: | --: | --: | --: |');
	for (const [name, noise] of Object.entries({ split, normal })) {
		for (const drop of [0, 0.025, 0.075, 0.1]) {
			const [t, both] = [tAlone, tAndRanks].map((locate) => cost(noise, drop, locate));
			console.log(`| ${name} | ${drop * 100} % | ${t?.decided} | ${both?.decided} | ${t?.rounds} | ${both?.rounds} |`);
		}
	}
}

/** Prints how often rows are decided at the smallest threshold that their own 20 rounds call decidable. */
export function printDecidable(): void {
	console.log('\nDecided by 20 rounds at the threshold they call decidable, 2000 runs each');
	console.log('| noise | threshold, spreads | true drop 0 | true drop = threshold |\n| --- | --: | --: | --: |');
	// So small that log ratios and fractions agree.
	const sd = 0.0001;
	for (const [name, noise] of Object.entries({ normal, heavyTailed, bursts, split })) {
		const random = createRandom(15);
		const runs = Array.from({ length: 2000 }, () => {
			const d = drawRounds(random, noise, 0, sd);
			const threshold = smallestDecidable({ d, rounds: d.length, sd: momentsOf(d)?.sd ?? 0 }) ?? 0;
			const limits = limitsOf({ threshold, tolerance: threshold / 2 });
			const decides = (effect: number) => {
				const test = lookThrough(
					d.map((value) => value + effect),
					tAndRanks,
					limits,
				).at(-1);
				return test !== undefined && (test.unchanged <= ALPHA || test.regressed <= ALPHA);
			};
			return { spreads: threshold / sd, none: decides(0), drop: decides(limits.threshold) };
		});
		const spreads = runs.reduce((sum, run) => sum + run.spreads, 0) / runs.length;
		const shares = [runs.map((run) => run.none), runs.map((run) => run.drop)].map(percentOf);
		console.log(`| ${name} | ${spreads.toFixed(2)} | ${shares.join(' | ')} |`);
	}
}

function cost(noise: Noise, drop: number, locate: Locate): { readonly decided: string; readonly rounds: string } {
	const random = createRandom(14);
	const runs = Array.from({ length: 2000 }, () =>
		decideRow(drawRounds(random, noise, Math.log1p(-drop), 0.02), locate),
	);
	const rounds = runs.reduce((sum, run) => sum + run.rounds, 0) / runs.length;
	return { decided: percentOf(runs.map((run) => run.verdict !== 'inconclusive')), rounds: rounds.toFixed(1) };
}

import type { Bias, GuardCount, Independence, Results, ValidityPair } from '../results.ts';
import { countText, logText, percent2, plain, shareText } from './figures.ts';
import { figures, type Section, tableOf, words } from './section.ts';

/** Returns question 3: whether a side is favoured. */
export function biasSection({ bias }: Results): Section {
	return {
		title: '3. Is a side favoured?',
		text: [
			'Servers against themselves: the mean of d should be 0, whoever is started or connected first. Numbers are d × 100 with 95 % intervals; negative is head slower.',
		],
		charts: [{ id: 'bias', caption: 'Mean d × 100 of servers against themselves, with 95 % intervals.' }],
		tables: [
			tableOf<Bias>(
				[
					words('design', ({ design }) => design),
					words('rounds', (row) => row.of),
					figures('how many', ({ throughput }) => `${throughput.of}`),
					figures('throughput', ({ throughput }) => logText(throughput)),
					figures('CPU per request', ({ cpu }) => logText(cpu)),
				],
				bias,
			),
		],
	};
}

/** Returns question 4: whether rounds meet the assumptions of the tests, and how often guards fire without a reason. */
export function independenceSection({ independence, guards, validity }: Results): Section {
	return {
		title: '4. Are rounds independent and symmetric?',
		text: [
			'Servers against themselves. Lag 1 is the correlation of neighbouring rounds. Far rounds lie more than 4 robust SDs from the median. Guards and warnings are counted in runs that share no rounds.',
		],
		tables: [
			tableOf<Independence>(
				[
					words('design', ({ design }) => design),
					words('cell', ({ cell }) => ({ text: cell, style: 'code' })),
					figures('rounds', ({ rounds }) => `${rounds}`),
					figures('SD, %', ({ sd }) => percent2(sd)),
					figures('robust SD, %', ({ robustSd }) => percent2(robustSd)),
					figures('lag 1', ({ lag1 }) => plain(lag1)),
					figures('skewness', ({ skew }) => plain(skew)),
					figures('far rounds', ({ outliers }) => `${outliers}`),
				],
				independence,
			),
			tableOf<GuardCount>(
				[
					words('guard', ({ code }) => ({ text: code, style: 'code' })),
					figures('spoke in', ({ runs }) => countText(runs)),
					figures('share of runs', ({ runs }) => shareText(runs)),
				],
				guards,
				'How often guards and warnings speak when nothing was planted',
			),
			tableOf<ValidityPair>(
				[
					words('pair', ({ title }) => title),
					words('kind', ({ effect }) => effect),
					words('guards and warnings', (pair) => (pair.guards.length > 0 ? pair.guards.join(', ') : 'none')),
				],
				validity.pairs,
				'Which of them speak of the pairs of question 2',
			),
		],
	};
}

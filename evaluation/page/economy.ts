import type { Results, SharedVariance, Together } from '../results.ts';
import { dropText, percent2, plain, shareText } from './figures.ts';
import { figures, type Section, tableOf, words } from './section.ts';

/** Returns question 5: gain and cost of sharing variance across cells. */
export function sharedVarianceSection({ sharedVariance }: Results): Section {
	return {
		title: '5. Should cells share their variance?',
		text: [
			'The same replayed runs decided by t with each cell’s own variance, and with variances drawn towards their common value (limma). A pass is wrong when the planted drop was the threshold or more.',
		],
		tables: [
			tableOf<SharedVariance>(
				[
					words('variance', ({ shared }) => (shared ? 'shared' : 'own')),
					figures('planted drop', ({ drop }) => dropText(drop)),
					figures('runs', ({ runs }) => `${runs}`),
					figures('red gates', ({ redGates }) => shareText(redGates)),
					figures('inconclusive rows', ({ inconclusiveRows }) => shareText(inconclusiveRows)),
					figures('wrong passes', ({ wrongPasses }) => shareText(wrongPasses)),
					figures('rounds a cell', ({ roundsPerCell }) => plain(roundsPerCell, 1)),
					figures('intervals that cover', ({ covered }) => shareText(covered)),
				],
				sharedVariance,
			),
		],
	};
}

/** Returns question 6: gain and cost of measuring two pairs at once. */
export function togetherSection({ together }: Results): Section {
	return {
		title: '6. Should two pairs be measured at once?',
		text: ['Cost as in question 1: (SD of d in percent)² × seconds of one cell, less is better.'],
		tables: [
			tableOf<Together>(
				[
					words('series', ({ id }) => ({ text: id, style: 'code' })),
					figures('pairs at once', ({ pairsAtOnce }) => `${pairsAtOnce}`),
					figures('rounds', ({ rounds }) => `${rounds}`),
					figures('SD of d, %', ({ sd }) => percent2(sd)),
					figures('robust SD, %', ({ robustSd }) => percent2(robustSd)),
					figures('seconds a cell', ({ secondsPerCell }) => plain(secondsPerCell)),
					figures('cost', ({ cost }) => plain(cost, 1)),
				],
				together,
			),
		],
	};
}

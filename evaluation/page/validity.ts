import { NONE } from '../../src/text/numbers.ts';
import type { Design } from '../../src/types/config.ts';
import type { Achieved, Results, Validity, ValidityPair } from '../results.ts';
import { logText, meanText, percent2 } from './figures.ts';
import { type Column, figures, type Section, type Table, tableOf, words } from './section.ts';

const DESIGNS: readonly Design[] = ['duet', 'alternating', 'sequential'];

const PAIR = words<ValidityPair>('pair', ({ title }) => title);
const VERDICTS: readonly Column<ValidityPair>[] = [
	words('verdict', ({ verdict }) => verdict),
	words('alternating windows', confirmationText),
];

function confirmationText({ asksConfirmation, guards }: ValidityPair): string {
	if (!asksConfirmation) return 'not needed';
	return guards.includes('unconfirmed') ? 'could not decide' : 'decided';
}

/** Returns question 2: whether a duet shows the same change as a server loaded alone. */
export function validitySection({ validity }: Results): Section {
	return {
		title: '2. Does a duet measure what a server does alone?',
		text: [
			'Pairs that really differ, measured in all designs in turn. Numbers are mean d × 100 with 95 % intervals; negative is slower. If designs agree, the line through the pairs has slope 1 and intercept 0. What an injection achieved is said in the terms of its kind: d × 100 of CPU time or memory, microseconds added to an answer of a side that is loaded alone, or wrong answers. Verdicts are those of the duet; where it asks for it, alternating windows confirm.',
		],
		charts: [
			{
				id: 'validity',
				caption: 'Every pair in two designs, throughput, with 95 % intervals. On the line both designs say the same.',
			},
		],
		tables: [designTable('throughput', validity), lineTable(validity), designTable('cpu', validity)],
	};
}

function designTable(metric: 'throughput' | 'cpu', { pairs }: Validity): Table {
	const means = DESIGNS.map((design) => figures<ValidityPair>(design, (pair) => logText(pair[metric][design])));
	const kind = words<ValidityPair>('kind', ({ effect }) => effect);
	const intended = figures<ValidityPair>('intended', (pair) =>
		pair.intended === null ? NONE : logText({ value: pair.intended, low: null, high: null, of: 0 }),
	);
	if (metric === 'cpu') return tableOf([PAIR, kind, intended, ...means], pairs, 'The same in CPU per request');
	const achieved = words<ValidityPair>('achieved', (pair) => achievedText(pair.achieved));
	return tableOf([PAIR, kind, intended, achieved, ...means, ...VERDICTS], pairs);
}

function achievedText(achieved: Achieved | null): string {
	if (!achieved) return NONE;
	const { of, mean } = achieved;
	switch (of) {
		case 'answer-time':
			return `${meanText(mean)} µs an answer`;
		case 'wrong-answers':
			return `${percent2(mean.value)} % of answers wrong`;
		case 'memory-peak':
			return `memory ${logText(mean)}`;
		case 'cpu-per-request':
			return `CPU ${logText(mean)}`;
	}
}

function lineTable({ lines }: Validity): Table {
	return tableOf<Validity['lines'][number]>(
		[
			words('of', (line) => line.of),
			words('on', (line) => line.on),
			words('among', (line) => line.among),
			figures('pairs', ({ slope }) => `${slope.of}`),
			figures('slope', ({ slope }) => meanText(slope)),
			figures('intercept × 100', ({ intercept }) => logText(intercept)),
		],
		lines,
	);
}

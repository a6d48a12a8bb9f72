import { formatPercent, NONE } from '../../src/text/numbers.ts';
import type { MatrixPower, MatrixResult, Results, WallTime } from '../results.ts';
import { countText, dropText, minutes, plain, shareText } from './figures.ts';
import { figures, type Section, type Table, tableOf, words } from './section.ts';

const NAMES = { live: 'as it ran', consecutive: 'one after the other', replayed: 'replayed' } as const;

/** Returns whole matrices of cells against themselves: false alarms of the gate, coverage, time, and power of one drop. */
export function matrixSection({ matrices }: Results): Section {
	return {
		title: 'Whole matrices',
		text: [
			'Several cells measured together, nothing planted: a red gate is a false alarm. "As it ran" are whole runs of the command; "one after the other" are runs cut out of long series, each beginning where the one before was decided (one that its series ended before it was decided is cut off, and only counted); "replayed" are the rounds of both in random order, used again and again. An interval covers when it holds 0; both of its ends hold at 95 %, so 90 % is promised. Long series have no solo windows, which a run has in its first two rounds: about 2 s a cell more.',
		],
		tables: [gateTable(matrices), verdictTable(matrices), ...powerTables(matrices)],
	};
}

const COMMON = [
	words<MatrixResult>('runs', runsText),
	figures<MatrixResult>('cells', ({ cells }) => `${cells}`),
	figures<MatrixResult>('threshold', ({ threshold }) => formatPercent(threshold)),
];

function runsText({ origin, runs, cutOff }: MatrixResult): string {
	return `${runs}, ${NAMES[origin]}${cutOff > 0 ? `; ${cutOff} more cut off` : ''}`;
}

function gateTable(matrices: readonly MatrixResult[]): Table {
	const columns = [
		...COMMON,
		figures<MatrixResult>('red gates', ({ redGates }) => countText(redGates)),
		figures<MatrixResult>('share', ({ redGates }) => shareText(redGates)),
		figures<MatrixResult>('intervals that cover', ({ covered }) => shareText(covered)),
		figures<MatrixResult>('minutes, median (90th)', ({ seconds }) => wallTimeText(seconds)),
		figures<MatrixResult>('seconds a cell', ({ secondsPerCell }) => plain(secondsPerCell, 1)),
	];
	return tableOf(columns, matrices);
}

function wallTimeText({ median, p90 }: WallTime): string {
	return `${minutes(median)} (${minutes(p90)})`;
}

function verdictTable(matrices: readonly MatrixResult[]): Table {
	const verdicts = [...new Set(matrices.flatMap((matrix) => Object.keys(matrix.verdicts)))].sort();
	const columns = verdicts.map((verdict) => figures<MatrixResult>(verdict, (row) => `${row.verdicts[verdict] ?? 0}`));
	return tableOf([...COMMON, ...columns], matrices, 'Rows by verdict');
}

function powerTables(matrices: readonly MatrixResult[]): Table[] {
	const planted = matrices.filter(({ power }) => power.length > 0);
	if (planted.length === 0) return [];
	const drops = [...new Set(planted.flatMap(({ power }) => power.map(({ drop }) => drop)))].sort((a, b) => a - b);
	const columns = drops.flatMap((drop) => {
		const of = (format: (at: MatrixPower) => string) => (row: MatrixResult) => {
			const entry = row.power.find((one) => one.drop === drop);
			return entry ? format(entry) : NONE;
		};
		return [
			figures(
				`red at ${dropText(drop)}`,
				of(({ red }) => shareText(red)),
			),
			figures(
				'minutes, median (90th)',
				of(({ seconds }) => wallTimeText(seconds)),
			),
		];
	});
	return [tableOf([...COMMON, ...columns], planted, 'Power of one planted drop in one cell of the matrix')];
}

import { best, type CommonChoice, type SpreadKind } from '../answers/best.ts';
import type { PlaceCost, Results, TimingCost } from '../results.ts';
import { meanText, percent2, plain } from './figures.ts';
import { figures, type Section, tableOf, words } from './section.ts';

const COLUMNS = [
	words<TimingCost>('server', ({ server }) => ({ text: server, style: 'code' })),
	figures<TimingCost>('scenarios per process', ({ scenariosPerProcess }) => `${scenariosPerProcess}`),
	figures<TimingCost>('warm-up, s', ({ warmupSeconds }) => plain(warmupSeconds)),
	figures<TimingCost>('counted, s', ({ countedSeconds }) => plain(countedSeconds)),
	figures<TimingCost>('rounds', ({ rounds }) => `${rounds}`),
	figures<TimingCost>('SD of d, %', ({ sd }) => percent2(sd)),
	figures<TimingCost>('robust SD, %', ({ robustSd }) => percent2(robustSd)),
	figures<TimingCost>('mean d, %', ({ bias }) => meanText(bias)),
	figures<TimingCost>('seconds a cell', ({ secondsPerCell }) => plain(secondsPerCell)),
	figures<TimingCost>('cost', ({ cost }) => plain(cost, 1)),
];

/** Returns question 1: the best use of a round's seconds. */
export function timingSection({ timing, places }: Results): Section {
	return {
		title: '1. How long to warm up, how long to count',
		text: [
			'One long recording per server, cut to every warm-up and counted time. Cost is (SD of d in percent)² × seconds of one cell: the time that a given certainty takes, less is better. The first table has the cheapest choice of each server, the second the cheapest that all can share: the geometric mean of its cost relative to the cheapest of each server. The third is from processes that serve a whole matrix, warmed up as in a comparison: every turn of them, and with all windows counted the turns at each place of their processes. With six scenarios a process the warm-up was not chosen: it is what lay between the windows of two turns.',
		],
		charts: [
			{
				id: 'timing',
				caption:
					'Cost relative to the cheapest choice of the server (1 is the cheapest; the more colour, the cheaper).',
			},
		],
		tables: [
			tableOf(
				COLUMNS,
				best(timing).flatMap(({ servers }) => servers),
			),
			tableOf(COMMON_COLUMNS, commonLines(timing)),
			tableOf(PLACE_COLUMNS, places.filter(isShown)),
			tableOf(COLUMNS, timing, 'Every choice'),
		],
	};
}

const PLACE_COLUMNS = [
	...COLUMNS.slice(0, 2),
	figures<PlaceCost>('place', ({ place }) => (place === null ? 'all' : `${place}`)),
	figures<PlaceCost>('counted, s', ({ countedSeconds }) => plain(countedSeconds)),
	figures<PlaceCost>('turns', ({ rounds }) => `${rounds}`),
	...COLUMNS.slice(5),
];

/** Of single places only the line with all windows. */
function isShown({ place, countedSeconds }: PlaceCost, _index: number, all: readonly PlaceCost[]): boolean {
	return place === null || countedSeconds === Math.max(...all.map((other) => other.countedSeconds));
}

type Line = CommonChoice & { readonly scenarios: number; readonly by: SpreadKind };

/** More than the best choice, because with few rounds the next ones may be as cheap. */
const COMMON_SHOWN = 3;

const COMMON_COLUMNS = [
	figures<Line>('scenarios per process', ({ scenarios }) => `${scenarios}`),
	words<Line>('spread', ({ by }) => (by === 'sd' ? 'SD' : 'robust SD')),
	figures<Line>('warm-up, s', ({ warmupSeconds }) => plain(warmupSeconds)),
	figures<Line>('counted, s', ({ countedSeconds }) => plain(countedSeconds)),
	figures<Line>('cost, relative', ({ relativeCost }) => plain(relativeCost)),
];

/** The cheapest choices that all servers can share, by sample and by robust spread. */
function commonLines(timing: readonly TimingCost[]): Line[] {
	const lines = (['sd', 'robustSd'] as const).flatMap((by) =>
		best(timing, by).flatMap(({ scenariosPerProcess, common }) =>
			common.slice(0, COMMON_SHOWN).map((choice) => ({ ...choice, scenarios: scenariosPerProcess, by })),
		),
	);
	return lines.toSorted((one, other) => one.scenarios - other.scenarios);
}

import * as Plot from '@observablehq/plot';
import { formatTick } from '../../../src/report/html/page/forest.ts';
import type { Design } from '../../../src/types/config.ts';
import type { Mean, ValidityPair } from '../../results.ts';
import { logText } from '../figures.ts';
import type { ChartResults } from '../html.ts';
import { GRID, type Panel, zeroLines } from './panel.ts';

const NAMES: Readonly<Record<Design, string>> = {
	duet: 'duet',
	alternating: 'alternating windows',
	sequential: 'each side alone',
};

/** One for each kind of pair, the same in all panels. */
const SYMBOLS: readonly Plot.SymbolType[] = [
	'circle',
	'square',
	'diamond',
	'triangle',
	'cross',
	'star',
	'wye',
	'hexagon',
	'diamond2',
];

interface Point {
	readonly x: number;
	readonly y: number;
	readonly xLow: number;
	readonly xHigh: number;
	readonly yLow: number;
	readonly yHigh: number;
	readonly kind: string;
	readonly text: string;
}

/** Larger effects, in percent, appear only in the panels of all pairs. */
const SMALL = 15;

/**
 * Returns the duet's d against that of both designs that load one side at a time: all pairs, and again only small
 * effects.
 */
export function validityPanels({ validity }: ChartResults): Panel[] {
	const drawn = validity.pairs.filter(({ throughput }) => throughput.duet !== null);
	const kinds = [...new Set(drawn.map(({ effect }) => effect))];
	return (['sequential', 'alternating'] as const).flatMap((design) => {
		const all = validity.pairs.flatMap((pair) => pointOf(pair, design));
		const small = all.filter(({ x, y }) => Math.max(Math.abs(x), Math.abs(y)) <= SMALL);
		const title = `Duet (upwards) against ${NAMES[design]} (rightwards)`;
		const panels = [{ title, draw: (width: number) => drawScatter(all, design, kinds, width) }];
		if (small.length > 0 && small.length < all.length) {
			const draw = (width: number) => drawScatter(small, design, kinds, width);
			panels.push({ title: `The same up to ±${SMALL}`, draw });
		}
		return all.length === 0 ? [] : panels;
	});
}

function drawScatter(points: readonly Point[], design: Design, kinds: readonly string[], width: number): Element {
	const ends = points.flatMap(({ xLow, xHigh, yLow, yHigh }) => [xLow, xHigh, yLow, yHigh, 0]);
	const room = (Math.max(...ends) - Math.min(...ends)) * 0.04 || 1;
	const domain = [Math.min(...ends) - room, Math.max(...ends) + room];
	const diagonal = domain.map((value) => ({ value }));
	return Plot.plot({
		width,
		height: Math.min(width, 460),
		marginLeft: 46,
		marginBottom: 38,
		marginTop: 26,
		className: 'plot',
		ariaLabel: `d of every pair in the duet against ${NAMES[design]}`,
		x: { domain, label: `d × 100, ${NAMES[design]}`, tickFormat: formatTick },
		y: { domain, label: 'd × 100, duet', tickFormat: formatTick },
		symbol: { domain: kinds, range: kinds.map((_, at) => SYMBOLS[at % SYMBOLS.length] ?? 'circle'), legend: true },
		marks: [
			Plot.gridX(GRID),
			Plot.gridY(GRID),
			...zeroLines(),
			Plot.line(diagonal, { x: 'value', y: 'value', stroke: 'var(--regressed)', strokeDasharray: '5 4' }),
			Plot.ruleX(points, { x: 'x', y1: 'yLow', y2: 'yHigh', stroke: 'var(--head)' }),
			Plot.ruleY(points, { y: 'y', x1: 'xLow', x2: 'xHigh', stroke: 'var(--head)' }),
			Plot.dot(points, {
				className: 'pair',
				x: 'x',
				y: 'y',
				symbol: 'kind',
				fill: 'var(--head)',
				stroke: 'var(--back)',
				r: 5,
				title: 'text',
			}),
		],
	});
}

function pointOf(pair: ValidityPair, design: Design): Point[] {
	const { duet, [design]: other } = pair.throughput;
	if (!duet || !other) return [];
	const [x, y] = [spanOf(other), spanOf(duet)];
	return [
		{
			...{ x: x.mid, xLow: x.low, xHigh: x.high, y: y.mid, yLow: y.low, yHigh: y.high },
			kind: pair.effect,
			text: `${pair.title}\nduet ${logText(duet)}\n${NAMES[design]} ${logText(other)}`,
		},
	];
}

function spanOf({ value, low, high }: Mean): { readonly mid: number; readonly low: number; readonly high: number } {
	return { mid: value * 100, low: (low ?? value) * 100, high: (high ?? value) * 100 };
}

import * as Plot from '@observablehq/plot';
import type { LatencyHistogram } from '../../../types/round.ts';
import type { PageCell } from './data.ts';
import { quantileOf, rebin } from './draw-histogram.ts';

const HEIGHT = 260;
const SIDES = ['base', 'head'] as const;

/** Returns both sides' latency distributions on a logarithmic axis, with p50 and p99. */
export function drawLatency(cell: PageCell, width: number): Element {
	const { latency } = cell;
	if (!latency || SIDES.every((side) => latency[side].length === 0)) return emptyNote();
	const curves = SIDES.flatMap((side) => rebin(latency[side]).map((bin) => ({ side, ...bin })));
	const marks = SIDES.flatMap((side) => quantilesOf(latency[side]).map((mark) => ({ side, ...mark })));
	return Plot.plot({
		width,
		height: HEIGHT,
		marginLeft: 44,
		marginTop: 36,
		marginBottom: 40,
		className: 'plot',
		ariaLabel: `Latency of both sides of ${cell.label}`,
		x: { type: 'log', label: 'latency, ms', tickFormat: (ms: number) => `${ms}`, ticks: width < 420 ? 3 : 6 },
		y: { label: 'share of requests, %', grid: false },
		color: { domain: [...SIDES], range: ['var(--base)', 'var(--head)'], legend: true },
		marks: [
			Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
			Plot.areaY(curves, { x: 'ms', y1: 0, y2: 'percent', fill: 'side', fillOpacity: 0.14, curve: 'step' }),
			Plot.lineY(curves.filter(isBase), {
				x: 'ms',
				y: 'percent',
				stroke: 'side',
				strokeDasharray: '4 3',
				curve: 'step',
			}),
			Plot.lineY(
				curves.filter((point) => !isBase(point)),
				{ x: 'ms', y: 'percent', stroke: 'side', strokeWidth: 2, curve: 'step' },
			),
			Plot.ruleX(marks.filter(isBase), { x: 'ms', stroke: 'side', strokeDasharray: '4 3' }),
			Plot.ruleX(
				marks.filter((mark) => !isBase(mark)),
				{ x: 'ms', stroke: 'side' },
			),
			Plot.text(
				marks.filter((mark) => !isBase(mark)),
				{
					x: 'ms',
					text: 'name',
					frameAnchor: 'top',
					dy: -12,
					dx: 4,
					textAnchor: 'start',
					fill: 'currentColor',
					stroke: 'var(--back)',
					strokeWidth: 4,
				},
			),
			Plot.ruleY([0], { stroke: 'var(--text)', strokeOpacity: 0.6 }),
		],
	});
}

function quantilesOf(histogram: LatencyHistogram): readonly { readonly name: string; readonly ms: number }[] {
	return [
		{ name: 'p50', ms: quantileOf(histogram, 0.5) },
		{ name: 'p99', ms: quantileOf(histogram, 0.99) },
	];
}

function isBase({ side }: { readonly side: string }): boolean {
	return side === 'base';
}

function emptyNote(): Element {
	const note = document.createElement('p');
	note.textContent = 'No latency was recorded for this cell.';
	return note;
}

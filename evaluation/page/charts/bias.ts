import * as Plot from '@observablehq/plot';
import { formatTick } from '../../../src/report/html/page/forest.ts';
import type { Bias, Mean } from '../../results.ts';
import { logText } from '../figures.ts';
import type { ChartResults } from '../html.ts';
import { GRID, type Panel } from './panel.ts';

const METRICS = [
	{ key: 'throughput', name: 'throughput', colour: 'var(--head)', symbol: 'circle', shift: -4 },
	{ key: 'cpu', name: 'CPU per request', colour: 'var(--regressed)', symbol: 'square', shift: 4 },
] as const;
const CHARACTER = 6.5;
const ROW = 30;

/** Returns a panel for each design: mean d by the side that came first, throughput above CPU per request. */
export function biasPanels({ bias }: ChartResults): Panel[] {
	const ends = bias.flatMap(({ throughput, cpu }) => [throughput, cpu].flatMap(({ low, high }) => [low, high]));
	const reach = Math.max(0, ...ends.map((end) => Math.abs(end ?? 0))) * 100;
	return [...Map.groupBy(bias, ({ design }) => design)].map(([design, rows]) => ({
		title: design,
		draw: (width) => drawBias(rows, design, reach, width),
	}));
}

function drawBias(rows: readonly Bias[], design: string, reach: number, width: number): Element {
	const names = rows.map((row) => row.of);
	const narrow = width < 440;
	const longest = Math.max(...names.map(({ length }) => length));
	return Plot.plot({
		width,
		height: 64 + rows.length * (narrow ? ROW + 14 : ROW),
		marginLeft: narrow ? 8 : Math.min(longest * CHARACTER + 14, width / 2),
		marginRight: 12,
		marginTop: 30,
		marginBottom: 8,
		className: 'plot',
		ariaLabel: `Mean d of servers against themselves, ${design}`,
		x: { domain: [-reach * 1.05, reach * 1.05], label: null, axis: 'top', tickFormat: formatTick, ticks: 5 },
		y: { domain: names, label: null, tickSize: 0, axis: narrow ? null : 'left' },
		color: { domain: METRICS.map(({ name }) => name), range: METRICS.map(({ colour }) => colour), legend: true },
		marks: [
			Plot.gridX({ ...GRID, ticks: 5 }),
			Plot.ruleX([0], { stroke: 'var(--text)', strokeOpacity: 0.6 }),
			narrow
				? Plot.text(names, {
						y: (name: string) => name,
						text: (name: string) => name,
						frameAnchor: 'left',
						textAnchor: 'start',
						dy: -16,
						fill: 'currentColor',
						stroke: 'var(--back)',
						strokeWidth: 4,
					})
				: null,
			...METRICS.flatMap(({ key, name, colour, symbol, shift }) => {
				const means = rows.map((row) => ({
					of: row.of,
					text: `${row.of}\n${name} ${logText(row[key])}`,
					...span(row[key]),
				}));
				const dy = shift + (narrow ? 5 : 0);
				return [
					Plot.ruleY(means, { y: 'of', x1: 'low', x2: 'high', stroke: colour, strokeWidth: 2, dy }),
					Plot.dot(means, {
						className: 'mean',
						x: 'mid',
						y: 'of',
						fill: colour,
						stroke: 'var(--back)',
						symbol,
						r: 4,
						dy,
						title: 'text',
					}),
				];
			}),
		],
	});
}

function span({ value, low, high }: Mean): { readonly mid: number; readonly low: number; readonly high: number } {
	return { mid: value * 100, low: (low ?? value) * 100, high: (high ?? value) * 100 };
}

import * as Plot from '@observablehq/plot';
import type { PageCell } from './data.ts';
import { formatTick } from './forest.ts';

const HEIGHT = 260;

/** Returns the change of each round over time, in front of the final interval. Discarded rounds are crosses. */
export function drawRounds(cell: PageCell, width: number): Element {
	const points = cell.rounds.map((point) => ({
		...point,
		minutes: point.startedAt / 60,
		percent: point.change * 100,
	}));
	const counted = points.filter(({ discarded }) => !discarded);
	const discarded = points.filter((point) => point.discarded);
	const title = ({ round, percent }: (typeof points)[number]): string =>
		`round ${round}: ${formatTick(round1(percent))} %`;
	const { low = null, high = null, mid } = cell.span ?? { mid: null };
	const band = low !== null && high !== null ? [{ low: low * 100, high: high * 100 }] : [];
	return Plot.plot({
		width,
		height: HEIGHT,
		marginLeft: 44,
		marginBottom: 40,
		className: 'plot',
		ariaLabel: `Change of each round of ${cell.label}`,
		x: { label: 'minutes since the start', nice: true, insetLeft: 8, insetRight: 8 },
		y: {
			label: cell.turned ? 'change, % (as throughput)' : `change of ${cell.metric}, %`,
			tickFormat: formatTick,
			nice: true,
		},
		marks: [
			Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
			Plot.rect(band, { y1: 'low', y2: 'high', fill: `var(--${cell.verdict})`, fillOpacity: 0.16 }),
			Plot.ruleY(mid === null ? [] : [mid * 100], { stroke: `var(--${cell.verdict})`, strokeWidth: 2 }),
			Plot.ruleY([0], { stroke: 'var(--text)', strokeOpacity: 0.6 }),
			Plot.ruleY([-cell.tolerance * 100], { stroke: 'var(--muted)', strokeDasharray: '2 3' }),
			Plot.ruleY([-cell.threshold * 100], { stroke: 'var(--regressed)', strokeWidth: 1.5 }),
			Plot.dot(counted, { className: 'round', x: 'minutes', y: 'percent', fill: 'var(--text)', r: 3.5, title }),
			Plot.dot(discarded, {
				className: 'discarded',
				x: 'minutes',
				y: 'percent',
				symbol: 'times',
				stroke: 'var(--muted)',
				r: 5,
				title: (point) => `${title(point)}, not counted`,
			}),
			Plot.text(discarded, {
				x: 'minutes',
				y: 'percent',
				text: () => 'not counted',
				dx: 9,
				textAnchor: 'start',
				fill: 'var(--muted)',
			}),
		],
	});
}

function round1(value: number): number {
	return Math.round(value * 10) / 10;
}

import * as Plot from '@observablehq/plot';
import type { ChartResults } from '../html.ts';
import { groupTiming, type TimingGroup } from '../timing-groups.ts';
import type { Panel } from './panel.ts';

const ROW = 34;
const MARGINS = { marginLeft: 44, marginRight: 4, marginTop: 4, marginBottom: 34 };

/** Returns a map of costs for each server and number of scenarios per process. */
export function timingPanels({ timing }: ChartResults): Panel[] {
	return groupTiming(timing).map((group) => ({
		title: `${group.server}, ${group.scenariosPerProcess === 1 ? '1 scenario' : `${group.scenariosPerProcess} scenarios`} per process`,
		draw: (width) => drawCosts(group, width),
	}));
}

function drawCosts({ server, choices }: TimingGroup, width: number): Element {
	const costs = choices.map(({ cost }) => cost).filter((cost) => cost > 0);
	const least = Math.min(...costs);
	const cells = choices.map(({ warmupSeconds, countedSeconds, cost, secondsPerCell, sd }) => ({
		warmup: warmupSeconds,
		counted: countedSeconds,
		ratio: cost / least,
		// Pale from twice the least cost on.
		strength: Math.min(1, least / cost) ** 2 * 0.75,
		text: `warm-up ${shorten(warmupSeconds)} s, counted ${shorten(countedSeconds)} s\nSD ${(sd * 100).toFixed(2)} %, ${secondsPerCell.toFixed(1)} s a cell\ncost ${cost.toFixed(1)}`,
	}));
	const rows = new Set(cells.map(({ counted }) => counted)).size;
	return Plot.plot({
		...MARGINS,
		width,
		height: MARGINS.marginTop + MARGINS.marginBottom + rows * ROW,
		className: 'plot',
		ariaLabel: `Cost of certainty on ${server} by warm-up and counted seconds`,
		x: { type: 'band', label: 'warm-up, s', padding: 0.04, tickSize: 0, tickFormat: shorten },
		y: { type: 'band', label: 'counted, s', padding: 0.04, reverse: true, tickSize: 0, tickFormat: shorten },
		opacity: { type: 'identity' },
		marks: [
			Plot.cell(cells, { x: 'warmup', y: 'counted', fill: 'var(--raised)' }),
			Plot.cell(cells, {
				className: 'cost',
				x: 'warmup',
				y: 'counted',
				fill: 'var(--head)',
				fillOpacity: 'strength',
				title: 'text',
			}),
			Plot.text(cells, {
				x: 'warmup',
				y: 'counted',
				text: ({ ratio }: (typeof cells)[number]) => (Number.isFinite(ratio) ? ratio.toFixed(ratio < 10 ? 2 : 0) : '–'),
				fill: 'currentColor',
			}),
			Plot.cell(
				cells.filter(({ ratio }) => ratio === 1),
				{ x: 'warmup', y: 'counted', fill: 'none', stroke: 'var(--text)', strokeWidth: 1.5 },
			),
		],
	});
}

/** Returns seconds with at most two decimals. */
function shorten(seconds: number): string {
	return String(Number(seconds.toFixed(2)));
}

import * as Plot from '@observablehq/plot';
import type { RuleResult } from '../../results.ts';
import { shareText } from '../figures.ts';
import type { ChartResults } from '../html.ts';
import { GRID, type Panel } from './panel.ts';

const HEIGHT = 190;
/** The rule that the others are compared with. */
const OWN = 'benchgate';

interface Point {
	readonly drop: number;
	readonly red: number;
	readonly low: number;
	readonly high: number;
	readonly text: string;
}

/** Returns a panel for each rule: share of reds by planted drop, in percent, in front of our own rule's. */
export function powerPanels({ rules }: ChartResults): Panel[] {
	const ours = rules.find(({ rule }) => rule === OWN);
	return rules.map((rule) => ({
		title: rule.title,
		draw: (width) => drawPower(rule, rule === ours ? undefined : ours, width),
	}));
}

function drawPower(rule: RuleResult, own: RuleResult | undefined, width: number): Element {
	const points = pointsOf(rule);
	const colour = rule.rule.startsWith(OWN) ? 'var(--head)' : 'var(--regressed)';
	const falseAlarms = points.filter(({ drop }) => drop === 0);
	return Plot.plot({
		width,
		height: HEIGHT,
		marginLeft: 34,
		marginRight: 10,
		marginTop: 22,
		marginBottom: 34,
		className: 'plot',
		ariaLabel: `How often "${rule.title}" calls head slower, by planted drop`,
		x: { label: 'planted drop, %', ticks: points.map(({ drop }) => drop), tickFormat: String },
		y: { label: 'red, %', domain: [0, 100], ticks: [0, 25, 50, 75, 100] },
		marks: [
			Plot.gridY([0, 25, 50, 75, 100], GRID),
			Plot.lineY(own ? pointsOf(own) : [], {
				x: 'drop',
				y: 'red',
				stroke: 'var(--muted)',
				strokeWidth: 4,
				strokeOpacity: 0.45,
			}),
			Plot.areaY(points, { x: 'drop', y1: 'low', y2: 'high', fill: colour, fillOpacity: 0.16 }),
			Plot.lineY(points, { x: 'drop', y: 'red', stroke: colour, strokeWidth: 2 }),
			Plot.dot(points, { className: 'power', x: 'drop', y: 'red', fill: colour, r: 3, title: 'text' }),
			Plot.text(falseAlarms, {
				text: ({ red }: Point) => `${Number(red.toFixed(1))} % false alarms`,
				frameAnchor: 'top-left',
				dx: 6,
				dy: 4,
				fill: 'currentColor',
				stroke: 'var(--back)',
				strokeWidth: 4,
			}),
		],
	});
}

function pointsOf(rule: RuleResult): Point[] {
	return rule.at
		.filter(({ red }) => red.of > 0)
		.map(({ drop, red }) => ({
			drop: Number((drop * 100).toFixed(1)),
			red: (red.count / red.of) * 100,
			low: red.low * 100,
			high: red.high * 100,
			text: `drop ${Number((drop * 100).toFixed(1))} %: red ${shareText(red)}, ${red.count} of ${red.of}`,
		}));
}

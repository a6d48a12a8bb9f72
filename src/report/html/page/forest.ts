/** The forest plot. */
import * as Plot from '@observablehq/plot';
import type { Verdict } from '../../../types/verdict.ts';
import type { Scale } from '../../compare/interval-picture.ts';
import type { PageCell } from './data.ts';

/** In pixels. If the page is narrower, names are above their rows. */
const NARROW = 640;
const LONGEST_NAME = 38;
const CHARACTER = 7;

/** Shapes differ, so colour is never the only sign. */
const SYMBOLS: Readonly<Partial<Record<Verdict, Plot.SymbolType>>> = {
	regressed: 'diamond',
	improved: 'triangle',
	unchanged: 'circle',
	inconclusive: 'square',
};

export function drawForest(cells: readonly PageCell[], scale: Scale, width: number): Element {
	const narrow = width < NARROW;
	const rows = cells.map((cell, at) => ({ cell, at, verdict: cell.verdict }));
	const measured = rows.flatMap(({ cell, at, verdict }) => (cell.span ? { cell, at, verdict, span: cell.span } : []));
	const missing = rows.filter(({ cell }) => cell.span === null);
	const longest = Math.max(...cells.map(({ label }) => Math.min(label.length, LONGEST_NAME)));
	const ticks = narrow ? 5 : 10;
	const below = narrow ? 9 : 0;
	const verdicts = [...new Set(cells.map(({ verdict }) => verdict))];
	const signs = [...new Set(measured.map(({ verdict }) => verdict))];
	return Plot.plot({
		width,
		height: 48 + rows.length * (narrow ? 44 : 26),
		marginTop: 30,
		marginBottom: 12,
		marginLeft: narrow ? 6 : longest * CHARACTER + 16,
		marginRight: narrow ? 6 : 180,
		className: 'plot',
		ariaLabel: 'Change of every row with its interval',
		x: {
			domain: [scale.low * 100, scale.high * 100],
			label: null,
			ticks,
			axis: 'top',
			tickFormat: formatTick,
		},
		y: { domain: rows.map(({ at }) => at), padding: 0, axis: null },
		symbol: { domain: signs, range: signs.map((verdict) => SYMBOLS[verdict] ?? 'star'), legend: signs.length > 0 },
		color: { domain: verdicts, range: verdicts.map((verdict) => `var(--${verdict}, var(--muted))`) },
		marks: [
			Plot.gridX({ ticks, stroke: 'var(--line)', strokeOpacity: 1 }),
			Plot.ruleX([0], { stroke: 'var(--text)', strokeOpacity: 0.6 }),
			Plot.tickX(rows, {
				x: ({ cell }) => -cell.tolerance * 100,
				y: 'at',
				stroke: 'var(--muted)',
				strokeDasharray: '2 3',
			}),
			Plot.tickX(rows, {
				x: ({ cell }) => -cell.threshold * 100,
				y: 'at',
				stroke: 'var(--regressed)',
				strokeWidth: 1.5,
			}),
			Plot.ruleY(measured, {
				x1: ({ span }) => clamp(span.low ?? -Infinity, scale),
				x2: ({ span }) => clamp(span.high ?? Infinity, scale),
				y: 'at',
				dy: below,
				stroke: 'verdict',
				strokeWidth: 2.5,
			}),
			Plot.dot(measured, {
				className: 'estimate',
				x: ({ span }) => clamp(span.mid, scale),
				y: 'at',
				dy: below,
				symbol: 'verdict',
				fill: 'verdict',
				stroke: 'var(--back)',
				r: 5.5,
			}),
			Plot.text(missing, {
				className: 'missing',
				x: 0,
				y: 'at',
				dy: below,
				text: 'verdict',
				fill: 'verdict',
				fontWeight: 600,
				stroke: 'var(--back)',
				strokeWidth: 5,
			}),
			Plot.text(rows, {
				className: 'name',
				y: 'at',
				href: ({ cell }) => `#${cell.id}`,
				text: ({ cell }) => (narrow ? `${shorten(cell.label)}  ${cell.change}` : shorten(cell.label)),
				frameAnchor: 'left',
				textAnchor: narrow ? 'start' : 'end',
				dx: narrow ? 2 : -10,
				dy: narrow ? -9 : 0,
				fill: 'currentColor',
				stroke: 'var(--back)',
				strokeWidth: 4,
			}),
			narrow
				? null
				: Plot.text(measured, {
						className: 'numbers',
						y: 'at',
						text: ({ cell }) => `${cell.change}  ${cell.interval}`,
						frameAnchor: 'right',
						textAnchor: 'start',
						dx: 12,
						fill: 'currentColor',
					}),
			Plot.barX(rows, {
				className: 'hit',
				x1: scale.low * 100,
				x2: scale.high * 100,
				y: 'at',
				fill: 'transparent',
				title: describe,
			}),
		],
	});
}

function describe({ cell }: { readonly cell: PageCell }): string {
	return `${cell.label}\n${cell.metric} ${cell.change} ${cell.interval}\n${cell.verdict}`;
}

function clamp(change: number, scale: Scale): number {
	return 100 * Math.min(Math.max(change, scale.low), scale.high);
}

/** Returns a percent tick, with `−` instead of a hyphen. */
export function formatTick(percent: number): string {
	return `${percent > 0 ? '+' : ''}${percent}`.replace('-', '−');
}

function shorten(label: string): string {
	return label.length <= LONGEST_NAME ? label : `${label.slice(0, LONGEST_NAME - 1)}…`;
}

import uPlot from 'uplot';
import type { MetricName } from '../../types/metric.ts';
import type { SiteCell, SiteChange, SiteIndex } from '../site-data.ts';
import { seAt, shortName, turned } from './words.ts';

/** Levels in percent, or requests per second if `absolute`. */
export interface CurveOptions {
	readonly site: SiteIndex;
	readonly cell: SiteCell;
	readonly metric: MetricName;
	readonly changes: readonly SiteChange[];
	readonly labelOf: (change: SiteChange) => string;
	readonly absolute: boolean;
	/** X axis in days instead of commits. */
	readonly byTime: boolean;
	/** Called with the index of the point under the cursor. */
	readonly onPoint: (point: number | null) => void;
	/** Called with the visible commits; null for all. */
	readonly onZoom: (first: number | null, last: number | null) => void;
	readonly zoom: readonly [number, number] | null;
}

const HEIGHT = 340;
const LABEL_LINE = 18;
const LABEL_LINES = 3;
/** Sizes are in pixels, the name's length in characters. */
const NAME_SIZE = 12;
const NAME_GAP = 4;
const LONGEST_ANCHOR = 16;
const INTERVAL_WIDTH = 2;

/** Returns functions that highlight a point and remove the curve. */
export function drawCurve(parent: HTMLElement, options: CurveOptions): { point(index: number): void; destroy(): void } {
	const { site, cell, metric, absolute, byTime } = options;
	const at = cell.commit.map((commit) => (byTime ? (site.commits.at[commit] ?? 0) : commit));
	const values = absolute ? cell.rate.map((rate) => rate) : cell.level.map((level) => percent(metric, level));
	const plot = new uPlot(
		{
			width: Math.max(280, parent.clientWidth),
			height: HEIGHT,
			legend: { show: false },
			cursor: { y: false, points: { size: 9 }, drag: { x: true, y: false } },
			scales: { x: { time: byTime }, y: { range: (_, low, high) => scaleOf(low, high, options) } },
			axes: [
				{
					stroke: () => colour('--muted'),
					// Vertical grid lines would hide the vertical intervals.
					grid: { show: false },
					ticks: { show: false },
					...(!byTime && { values: (_: uPlot, splits: number[]) => splits.map((split) => nameOf(site, split)) }),
					space: 90,
				},
				{
					stroke: () => colour('--muted'),
					grid: { stroke: () => colour('--line') },
					ticks: { show: false },
					size: 64,
					values: (_, splits) =>
						splits.map((split) => (absolute ? Math.round(split).toLocaleString('en') : `${signed(split)} %`)),
				},
			],
			series: [
				{},
				{ stroke: () => colour('--curve'), width: 1, points: { show: true, size: 4, fill: () => colour('--curve') } },
			],
			hooks: {
				drawClear: [(plot) => drawBehind(plot, options, at)],
				draw: [(plot) => drawIntervals(plot, options, at), (plot) => labelBands(plot, options, at)],
				setCursor: [(plot) => options.onPoint(plot.cursor.idx ?? null)],
				setSelect: [(plot) => tellZoom(plot, options, at)],
			},
		},
		[at, values] as uPlot.AlignedData,
		parent,
	);
	if (options.zoom) plot.setScale('x', { min: options.zoom[0], max: options.zoom[1] });
	const resize = new ResizeObserver(() => plot.setSize({ width: Math.max(280, parent.clientWidth), height: HEIGHT }));
	resize.observe(parent);
	const scheme = matchMedia('(prefers-color-scheme: dark)');
	const redraw = () => plot.redraw();
	scheme.addEventListener('change', redraw);
	return {
		point: (index) => plot.setCursor({ left: plot.valToPos(at[index] ?? 0, 'x'), top: HEIGHT / 2 }),
		destroy() {
			resize.disconnect();
			scheme.removeEventListener('change', redraw);
			plot.destroy();
		},
	};
}

const percent = (metric: MetricName, level: number): number => 100 * Math.expm1(turned(metric, level));
const signed = (value: number): string =>
	`${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(Math.round(value * 100) / 100)}`;
const nameOf = (site: SiteIndex, index: number): string =>
	Number.isInteger(index) && index >= 0 && index < site.commits.label.length ? shortName(site, index) : '';

function colour(name: string): string {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#888';
}

/** Keeps zero change and all intervals visible. */
function scaleOf(low: number, high: number, { absolute, cell, metric }: CurveOptions): [number, number] {
	if (absolute) return [Math.min(0, low), high * 1.05];
	const ends = cell.level.flatMap((value, index) => [
		percent(metric, value - 2 * seAt(cell, index)),
		percent(metric, value + 2 * seAt(cell, index)),
	]);
	const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
	const pad = Math.max(0.3, (most - least) * 0.06);
	return [least - pad, most + pad];
}

function drawBehind(plot: uPlot, { site, cell, changes, absolute }: CurveOptions, at: readonly number[]): void {
	const { ctx, bbox } = plot;
	const x = (commit: number) => plot.valToPos(positionOf(cell, at, commit), 'x', true);
	ctx.save();
	ctx.beginPath();
	ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
	ctx.clip();
	for (const [index, era] of site.eras.entries()) {
		if (index % 2 === 1) fill(ctx, '--era', x(era.first), x(era.last), bbox);
		line(ctx, '--release', x(era.first), bbox.top, x(era.first), bbox.top + bbox.height, [4, 4]);
	}
	for (const change of changes) {
		const [from, to] = bandOf(change, x);
		fill(ctx, change.step < 0 ? '--slower-band' : '--faster-band', from, to, bbox);
	}
	for (const { commit } of cell.gaps)
		line(ctx, '--gap', x(commit), bbox.top + bbox.height - 12, x(commit), bbox.top + bbox.height, []);
	if (!absolute) {
		const zero = plot.valToPos(0, 'y', true);
		line(ctx, '--muted', bbox.left, zero, bbox.left + bbox.width, zero, []);
	}
	ctx.restore();
}

function bandOf({ commit, candidates }: SiteChange, x: (commit: number) => number): readonly [number, number] {
	const commits = [commit, ...candidates.map(([index]) => index)];
	const half = Math.max(3, (x(1) - x(0)) / 2);
	return [x(Math.min(...commits)) - half, x(Math.max(...commits)) + half];
}

function labelBands(plot: uPlot, { site, cell, changes, labelOf }: CurveOptions, at: readonly number[]): void {
	const { ctx, bbox } = plot;
	const x = (commit: number) => plot.valToPos(positionOf(cell, at, commit), 'x', true);
	const gap = NAME_GAP * devicePixelRatio;
	ctx.save();
	nameReleases(plot, site, x);
	ctx.font = `600 ${NAME_SIZE * devicePixelRatio}px system-ui, sans-serif`;
	ctx.textAlign = 'left';
	ctx.textBaseline = 'alphabetic';
	for (const [index, change] of changes.entries()) {
		const [from, to] = bandOf(change, x);
		// Beyond the visible part of a zoomed curve.
		if (to < bbox.left || from > bbox.left + bbox.width) continue;
		const label = labelOf(change);
		const { width } = ctx.measureText(label);
		const left = Math.max(bbox.left, Math.min(to + gap, bbox.left + bbox.width - width - gap));
		const base = bbox.top + (NAME_SIZE + (1 + (index % LABEL_LINES)) * LABEL_LINE) * devicePixelRatio;
		ctx.globalAlpha = 0.85;
		ctx.fillStyle = colour('--back');
		ctx.fillRect(left - gap, base - (NAME_SIZE + 2) * devicePixelRatio, width + 2 * gap, LABEL_LINE * devicePixelRatio);
		ctx.globalAlpha = 1;
		ctx.fillStyle = colour(change.step < 0 ? '--slower' : '--faster');
		ctx.fillText(label, left, base);
	}
	ctx.restore();
}

/** Names only releases with several commits, where there is space. */
function nameReleases({ ctx, bbox }: uPlot, { eras }: SiteIndex, x: (commit: number) => number): void {
	let free = bbox.left;
	ctx.font = `${NAME_SIZE * devicePixelRatio}px system-ui, sans-serif`;
	ctx.fillStyle = colour('--muted');
	ctx.strokeStyle = colour('--back');
	ctx.lineWidth = 4 * devicePixelRatio;
	ctx.textAlign = 'left';
	ctx.textBaseline = 'alphabetic';
	for (const { anchor, first, last } of eras) {
		const name = anchor.slice(0, LONGEST_ANCHOR);
		const [from, width] = [x(first) + NAME_GAP * devicePixelRatio, ctx.measureText(name).width];
		if (first === last || from < free || from + width > bbox.left + bbox.width) continue;
		// Grid lines cross the name.
		ctx.strokeText(name, from, bbox.top + NAME_SIZE * devicePixelRatio);
		ctx.fillText(name, from, bbox.top + NAME_SIZE * devicePixelRatio);
		free = from + width + NAME_GAP * devicePixelRatio;
	}
}

function drawIntervals(plot: uPlot, { cell, metric, absolute }: CurveOptions, at: readonly number[]): void {
	if (absolute) return;
	const { ctx, bbox } = plot;
	const y = (level: number) => plot.valToPos(percent(metric, level), 'y', true);
	const x = (index: number) => plot.valToPos(at[index] ?? 0, 'x', true);
	ctx.save();
	ctx.beginPath();
	ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
	ctx.clip();
	ctx.globalAlpha = 0.6;
	ctx.lineWidth = INTERVAL_WIDTH * devicePixelRatio;
	for (const [index, level] of cell.level.entries()) {
		const reach = 1.96 * seAt(cell, index);
		line(ctx, '--curve', x(index), y(level - reach), x(index), y(level + reach), []);
	}
	for (const { first, last, mean, se } of cell.segments) {
		ctx.globalAlpha = 0.18;
		ctx.fillStyle = colour('--segment');
		ctx.fillRect(
			x(first),
			y(mean + 1.96 * se),
			Math.max(2, x(last) - x(first)),
			y(mean - 1.96 * se) - y(mean + 1.96 * se),
		);
		ctx.globalAlpha = 1;
		ctx.lineWidth = 2 * devicePixelRatio;
		line(ctx, '--segment', x(first), y(mean), Math.max(x(first) + 2, x(last)), y(mean), []);
		ctx.lineWidth = devicePixelRatio;
	}
	ctx.restore();
}

function positionOf({ commit: commits }: SiteCell, at: readonly number[], commit: number): number {
	const index = commits.findIndex((pointCommit) => pointCommit >= commit);
	if (index < 0) return at.at(-1) ?? commit;
	return at[index] === commits[index] ? commit : (at[index] ?? commit);
}

function tellZoom(plot: uPlot, { onZoom }: CurveOptions, at: readonly number[]): void {
	if (plot.select.width === 0) {
		onZoom(null, null);
		return;
	}
	const from = plot.posToVal(plot.select.left, 'x');
	const to = plot.posToVal(plot.select.left + plot.select.width, 'x');
	const inside = at.flatMap((value, index) => (value >= from && value <= to ? [index] : []));
	onZoom(inside[0] ?? null, inside.at(-1) ?? null);
}

function fill(
	ctx: CanvasRenderingContext2D,
	name: string,
	from: number,
	to: number,
	{ top, height }: uPlot.BBox,
): void {
	ctx.fillStyle = colour(name);
	ctx.fillRect(from, top, Math.max(1, to - from), height);
}

function line(
	ctx: CanvasRenderingContext2D,
	name: string,
	x1: number,
	y1: number,
	x2: number,
	y2: number,
	dash: readonly number[],
): void {
	ctx.strokeStyle = colour(name);
	ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
	ctx.beginPath();
	ctx.moveTo(x1, y1);
	ctx.lineTo(x2, y2);
	ctx.stroke();
	ctx.setLineDash([]);
}

import { historyScale } from './history-line.ts';

const [WIDTH, HEIGHT, PAD] = [150, 28, 3];

/** Returns a history (log ratios, oldest first) as an inline SVG: a curve, its last point, and a line at the anchor. No script. */
export function drawHistorySvg(levels: readonly number[]): string {
	const [low, high] = historyScale(levels);
	const x = (index: number) => (PAD + (index / Math.max(1, levels.length - 1)) * (WIDTH - 2 * PAD)).toFixed(1);
	const y = (level: number) => (PAD + ((high - level) / (high - low)) * (HEIGHT - 2 * PAD)).toFixed(1);
	const points = levels.map((level, index) => `${x(index)},${y(level)}`);
	const last = levels.at(-1);
	return [
		`<svg class="history" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">`,
		`<line class="zero" x1="0" x2="${WIDTH}" y1="${y(0)}" y2="${y(0)}"/>`,
		`<polyline class="curve" points="${points.join(' ')}"/>`,
		last === undefined ? '' : `<circle class="dot" cx="${x(levels.length - 1)}" cy="${y(last)}" r="2.5"/>`,
		'</svg>',
	].join('');
}

/** Baselines of a row, oldest first. */

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Least range of the scale (log ratio), so that noise does not look large. */
const LEAST_SPAN = 0.04;
const [WIDTH, HEIGHT, PAD] = [150, 28, 3];

/** Returns the scale of a history in log ratios. It includes the anchor (0). */
function historyScale(levels: readonly number[]): readonly [low: number, high: number] {
	const high = Math.max(0, ...levels);
	return [Math.min(0, high - LEAST_SPAN, ...levels), high];
}

/** Returns block characters; a higher block is better. */
export function drawHistory(levels: readonly number[]): string {
	const [low, high] = historyScale(levels);
	const top = BARS.length - 1;
	return levels.map((level) => BARS[Math.round(((level - low) / (high - low)) * top)] ?? BARS[0]).join('');
}

/** Returns inline SVG of log ratios: curve, last point, and a line at the anchor. */
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

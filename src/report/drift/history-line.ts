/** The history of a row as a line of block characters. */

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** A history that moves less than this is drawn as if it moved so far: noise is no mountain range. */
const LEAST_SPAN = 0.04;

/** Returns the ends of the scale that a history is drawn on: log ratios, with the anchor in it. */
export function historyScale(levels: readonly number[]): readonly [low: number, high: number] {
	const high = Math.max(0, ...levels);
	return [Math.min(0, high - LEAST_SPAN, ...levels), high];
}

/** Returns a history as one character for each level, oldest first; higher is better. Empty without levels. */
export function drawHistory(levels: readonly number[]): string {
	const [low, high] = historyScale(levels);
	const top = BARS.length - 1;
	return levels.map((level) => BARS[Math.round(((level - low) / (high - low)) * top)] ?? BARS[0]).join('');
}

import { svg } from './dom.ts';

const [WIDTH, HEIGHT, PAD] = [160, 36, 2];

/** Returns a small curve with a line at no change. Hidden from screen readers, because a number is beside it. */
export function sparkline(
	commits: readonly number[],
	levels: readonly number[],
	[low, high]: readonly [number, number],
): SVGElement {
	const first = commits[0] ?? 0;
	const span = Math.max(1, (commits.at(-1) ?? 0) - first);
	const x = (commit: number) => PAD + ((commit - first) / span) * (WIDTH - 2 * PAD);
	const y = (level: number) => HEIGHT - PAD - ((level - low) / (high - low || 1)) * (HEIGHT - 2 * PAD);
	const points = commits.map((commit, index) => `${x(commit).toFixed(1)},${y(levels[index] ?? 0).toFixed(1)}`);
	const last = commits.length - 1;
	return svg(
		'svg',
		{ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, 'aria-hidden': 'true', class: 'spark' },
		svg('line', { x1: 0, x2: WIDTH, y1: y(0).toFixed(1), y2: y(0).toFixed(1), class: 'zero' }),
		svg('polyline', { points: points.join(' '), class: 'curve' }),
		...(last < 0
			? []
			: [
					svg('circle', {
						cx: x(commits[last] ?? 0).toFixed(1),
						cy: y(levels[last] ?? 0).toFixed(1),
						r: 2.2,
						class: 'dot',
					}),
				]),
	);
}

/** Returns one scale for all curves, which contains zero change. */
export function commonScale(curves: readonly (readonly number[])[]): readonly [number, number] {
	const all = curves.flat();
	return [Math.min(-0.01, ...all) * 1.05, Math.max(0.01, ...all) * 1.05];
}

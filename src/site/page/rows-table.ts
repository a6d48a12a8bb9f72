import { INTERVAL_95 } from '../../text/numbers.ts';
import type { SiteIndex } from '../site-data.ts';
import { h, svg, table } from './dom.ts';
import { loadOverview } from './load.ts';
import { markStanding } from './standing-words.ts';
import { anchorName, commitLink, perSecond, range, rowLink, share, shareColumn } from './words.ts';

/** Returns a function that draws rows, given their indexes, with curves on one scale. */
export async function rowsTable(site: SiteIndex): Promise<(indexes: readonly number[]) => HTMLElement> {
	const { rows } = await loadOverview();
	const curves = rows.map(([commits, levels]) => ({
		commits: addUp(commits),
		levels: addUp(levels).map((value) => value / 10_000),
	}));
	const scale = commonScale(curves.map(({ levels }) => levels));
	const anchor = anchorName(site);
	const shares = shareColumn(site.rows).map(([name]) => [name, 'right wide'] as const);
	return (indexes) =>
		table(
			`Against ${anchor}, with 95 % intervals that hold for all rows together. Curves: last commits, lower is worse.`,
			[
				['row'],
				['change', 'right'],
				[INTERVAL_95, 'right'],
				['last commits'],
				['since', 'wide'],
				['requests/s', 'right wide'],
				...shares,
			],
			indexes.flatMap((index) => {
				const row = site.rows[index];
				if (row === undefined) return [];
				const { standing, metric, rate, ofReference } = row;
				const { commits = [], levels = [] } = curves[index] ?? {};
				const since = standing?.since ?? null;
				return [
					[
						rowLink(site, index),
						markStanding(row),
						standing === null ? '–' : range(metric, standing.low, standing.high),
						sparkline(commits, levels, scale),
						since === null ? h('span', { class: 'quiet' }, standing ? anchor : '–') : commitLink(site, since),
						perSecond(rate),
						...shares.map(() => share(ofReference)),
					],
				];
			}),
			'rows',
		);
}

function addUp(differences: readonly number[]): number[] {
	let sum = 0;
	return differences.map((difference) => {
		sum += difference;
		return sum;
	});
}

const [WIDTH, HEIGHT, PAD] = [160, 36, 2];

/** A small curve with a line at no change. Hidden from screen readers, because a number is beside it. */
function sparkline(
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
function commonScale(curves: readonly (readonly number[])[]): readonly [number, number] {
	const all = curves.flat();
	return [Math.min(-0.01, ...all) * 1.05, Math.max(0.01, ...all) * 1.05];
}

import type { SiteIndex } from '../site-data.ts';
import { h, table } from './dom.ts';
import { loadCell } from './load.ts';
import { change, interval, rowLink } from './words.ts';

/** Each release against the latest one, through the links between them. */
export async function drawReleases(site: SiteIndex): Promise<HTMLElement> {
	const cells = await Promise.all(site.rows.map(({ file }) => loadCell(file)));
	const eras = site.eras;
	return h(
		'section',
		{},
		h('h1', {}, eras.length === 1 ? 'One release so far' : `${eras.length} releases`),
		h(
			'p',
			{ class: 'lead quiet' },
			'Mean level of the commits measured against each release, in percent of the latest release. The further back, the less sure: every release adds a measurement in between.',
		),
		table(
			'Levels by release',
			[['row'], ...eras.map(({ anchor }) => [anchor, 'right'] as const)],
			cells.map((cell, index) => [
				rowLink(site, index),
				...eras.map((_, era) => {
					const inside = cell.era.flatMap((each, point) => (each === era ? [point] : []));
					if (inside.length === 0) return '–';
					const mean = inside.reduce((sum, point) => sum + (cell.level[point] ?? 0), 0) / inside.length;
					const se = Math.max(...inside.map((point) => cell.se[point] ?? 0)) / Math.sqrt(inside.length);
					const metric = site.rows[index]?.metric ?? 'throughput';
					return h('span', { title: `${interval(metric, mean, se)} %` }, change(metric, mean));
				}),
			]),
		),
	);
}

import type { SiteIndex } from '../site-data.ts';
import { h, table } from './dom.ts';
import { loadCell } from './load.ts';
import { change, interval, range, rowLink } from './words.ts';

/** Each release against the latest one, through the links between them, and where the main branch stands now. */
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
			'Each release, and the main branch now, in percent of the latest release. The further back, the less sure: every release adds a measurement in between.',
		),
		table(
			'Levels by release',
			[['row'], ...eras.map(({ anchor }) => [anchor, 'right'] as const), ['now', 'right']],
			site.rows.map(({ metric, standing }, index) => [
				rowLink(site, index),
				...eras.map((_, era) => {
					const own = cells[index]?.anchors[era];
					if (!own) return '–';
					return h('span', { title: `${interval(metric, own.level, own.se)} %` }, change(metric, own.level));
				}),
				standing === null
					? '–'
					: h('span', { title: `${range(metric, standing.low, standing.high)} %` }, change(metric, standing.theta)),
			]),
		),
	);
}

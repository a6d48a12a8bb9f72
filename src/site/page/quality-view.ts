import { formatPercent } from '../../text/numbers.ts';
import type { SiteIndex } from '../site-data.ts';
import { h, table } from './dom.ts';
import { rowLink } from './words.ts';

export function drawQuality(site: SiteIndex): HTMLElement {
	const points = site.rows.reduce((sum, row) => sum + row.points, 0);
	const gaps = site.rows.reduce((sum, row) => sum + row.gaps, 0);
	return h(
		'section',
		{},
		h('h1', {}, 'Measurement quality'),
		h(
			'p',
			{ class: 'lead quiet' },
			`${points.toLocaleString('en')} measurements, ${gaps.toLocaleString('en')} failed. Noise: how much runs of the same code vary beyond what their intervals explain.`,
		),
		table(
			'Noise, failed and undecided measurements of each row',
			[['row'], ['noise between runs', 'right'], ['measured', 'right'], ['failed', 'right'], ['undecided', 'right']],
			site.rows.map((row, index) => [
				rowLink(site, index),
				formatPercent(row.tau),
				String(row.points),
				String(row.gaps),
				row.points === 0 ? '–' : formatPercent(row.inconclusive / row.points, 0),
			]),
		),
		table(
			'Machines',
			[['machine'], ['records', 'right']],
			site.environments.map(({ description, records }) => [description, String(records)]),
		),
		...site.warnings.map((words) => h('p', { class: 'note' }, words)),
	);
}

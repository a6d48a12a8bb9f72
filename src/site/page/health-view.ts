import { formatPercent } from '../../text/numbers.ts';
import type { SiteIndex } from '../site-data.ts';
import { h, table } from './dom.ts';
import { rowLink } from './words.ts';

export function drawHealth(site: SiteIndex): HTMLElement {
	const points = site.rows.reduce((sum, row) => sum + row.points, 0);
	const gaps = site.rows.reduce((sum, row) => sum + row.gaps, 0);
	return h(
		'section',
		{},
		h('h1', {}, `${points.toLocaleString('en')} points, ${gaps.toLocaleString('en')} gaps`),
		h('p', { class: 'lead quiet' }, 'Noise is what two runs of the same code differ by beyond their intervals.'),
		table(
			'Noise, gaps and undecided measurements of each row',
			[['row'], ['noise between runs', 'right'], ['points', 'right'], ['gaps', 'right'], ['undecided', 'right']],
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

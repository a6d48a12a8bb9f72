import type { SiteIndex } from '../site-data.ts';
import { type Address, addressOf } from './address.ts';
import { h, table } from './dom.ts';
import { OF_REFERENCE, perSecond, rowLink, share } from './words.ts';

/** Servers by requests per second in one scenario. */
export function drawRanking(site: SiteIndex, { path }: Address): HTMLElement {
	const scenarios = [...new Set(site.rows.map(({ scenario }) => scenario))];
	const scenario = scenarios.find((name) => name === path[0]) ?? scenarios[0] ?? '';
	const rows = site.rows.flatMap((row, index) =>
		row.scenario === scenario && row.metric === 'throughput' && row.rate !== null ? [{ row, index }] : [],
	);
	const ordered = rows.toSorted((a, b) => (b.row.rate ?? 0) - (a.row.rate ?? 0));
	const most = ordered[0]?.row.rate ?? 1;
	return h(
		'section',
		{},
		h('h1', {}, `${scenario}: requests per second`),
		h(
			'p',
			{ class: 'toggles' },
			scenarios.map((name) =>
				h(
					'a',
					{ class: 'toggle', href: addressOf('ranking', [name]), 'aria-current': name === scenario ? 'true' : null },
					name,
				),
			),
		),
		table(
			'Servers, fastest first, in their newest measurement',
			[['server'], ['requests/s', 'right'], [OF_REFERENCE, 'right'], ['']],
			ordered.map(({ row, index }) => [
				rowLink(site, index),
				perSecond(row.rate),
				share(row.ofReference),
				h('span', { class: 'bar', style: `inline-size: ${Math.round((100 * (row.rate ?? 0)) / most)}%` }),
			]),
		),
		h(
			'p',
			{ class: 'quiet' },
			`Each server was loaded alone. Figures of different machines differ: compare the share ${OF_REFERENCE}.`,
		),
	);
}

import type { SiteIndex } from '../site-data.ts';
import { type Address, addressOf } from './address.ts';
import { h, table } from './dom.ts';
import { OF_REFERENCE, perSecond, rowLink, share, shareColumn } from './words.ts';

/** Draws the servers of one scenario, ordered by their share of the reference if all have one. */
export function drawRanking(site: SiteIndex, { path }: Address): HTMLElement {
	const scenarios = [...new Set(site.rows.map(({ scenario }) => scenario))];
	const scenario = scenarios.find((name) => name === path[0]) ?? scenarios[0] ?? '';
	const rows = site.rows.flatMap((row, index) =>
		row.scenario === scenario && row.metric === 'throughput' && row.rate !== null ? [{ row, index }] : [],
	);
	const isShared = rows.length > 0 && rows.every(({ row }) => row.ofReference !== null);
	const figureOf = ({ row }: (typeof rows)[number]) => (isShared ? row.ofReference?.[0] : row.rate) ?? 0;
	const ordered = rows.toSorted((a, b) => figureOf(b) - figureOf(a));
	const most = Math.max(...rows.map(figureOf), Number.MIN_VALUE);
	const shares = shareColumn(rows.map(({ row }) => row));
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
			[['server'], ['requests/s', 'right'], ...shares, ['']],
			ordered.map((each) => [
				rowLink(site, each.index),
				perSecond(each.row.rate),
				...shares.map(() => share(each.row.ofReference)),
				h('span', { class: 'bar', style: `inline-size: ${Math.round((100 * figureOf(each)) / most)}%` }),
			]),
		),
		h(
			'p',
			{ class: 'quiet' },
			isShared
				? `Ordered by the share ${OF_REFERENCE}, measured in turn with it, with its 95 % interval. Each server was loaded alone; requests/s of different machines differ.`
				: 'Each server was loaded alone. Requests/s of different machines, and of different days, differ.',
		),
	);
}

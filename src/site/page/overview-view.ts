import type { SiteIndex } from '../site-data.ts';
import { h } from './dom.ts';
import { loadOverview } from './load.ts';
import { commonScale, sparkline } from './sparkline.ts';
import { change, rowLink } from './words.ts';

/** Returns values from their differences. */
export function addUp(differences: readonly number[]): number[] {
	let sum = 0;
	return differences.map((difference) => {
		sum += difference;
		return sum;
	});
}

export async function drawOverview(site: SiteIndex): Promise<HTMLElement> {
	const { rows } = await loadOverview();
	const curves = rows.map(([commits, levels]) => ({
		commits: addUp(commits),
		levels: addUp(levels).map((value) => value / 10_000),
	}));
	const scale = commonScale(curves.map(({ levels }) => levels));
	const servers = [...new Set(site.rows.map(({ server }) => server))];
	const small = (index: number) =>
		h(
			'figure',
			{ class: 'small' },
			sparkline(curves[index]?.commits ?? [], curves[index]?.levels ?? [], scale) as unknown as HTMLElement,
			h(
				'figcaption',
				{},
				rowLink(site, index),
				` ${site.rows[index]?.standing ? change(site.rows[index].metric, site.rows[index].standing.theta) : '–'}`,
			),
		);
	return h(
		'section',
		{},
		h('h1', {}, 'All rows'),
		h(
			'p',
			{ class: 'lead quiet' },
			`The last commits against ${site.eras.at(-1)?.anchor ?? 'the anchor'}, all on one scale: from ${change('throughput', scale[0])} to ${change('throughput', scale[1])}. Worse is lower.`,
		),
		...servers.map((server) =>
			h(
				'section',
				{},
				h('h2', {}, server),
				h(
					'div',
					{ class: 'grid' },
					site.rows.flatMap((row, index) => (row.server === server ? [small(index)] : [])),
				),
			),
		),
	);
}

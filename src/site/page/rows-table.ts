import { INTERVAL_95 } from '../../text/numbers.ts';
import type { SiteIndex } from '../site-data.ts';
import { h, table } from './dom.ts';
import { loadOverview } from './load.ts';
import { commonScale, sparkline } from './sparkline.ts';
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

import { csvLine } from '../../text/csv-line.ts';
import type { SiteCell, SiteIndex } from '../site-data.ts';
import { dayOf, seAt } from './words.ts';

const HEADERS = [
	...['commit', 'label', 'day', 'log_ratio', 'log_ratio_se', 'rounds', 'verdict', 'requests_per_s'],
	...['share_of_reference', 'share_low', 'share_high', 'cpu_per_request_us', 'environment'],
];

/** Returns the points of a row as CSV, oldest first: levels against the latest anchor, negative is worse; unknown is empty. */
export function pointsCsv(site: SiteIndex, cell: SiteCell): string {
	const lines = cell.commit.map((commit, point) => {
		const [share = null, low = null, high = null] = cell.ofReference[point] ?? [];
		return csvLine([
			...[site.commits.sha[commit] ?? null, site.commits.label[commit] ?? null, dayOf(site, commit)],
			...[cell.level[point] ?? null, seAt(cell, point), cell.rounds[point] ?? null, cell.verdict[point] ?? null],
			...[cell.rate[point] ?? null, share, low, high, cell.cpu[point] ?? null, cell.environment[point] ?? null],
		]);
	});
	return [csvLine(HEADERS), ...lines].join('');
}

import type { SiteIndex } from '../site-data.ts';
import { h, table } from './dom.ts';
import { loadCells } from './load.ts';
import { change, interval, range, rowLink, rowName } from './words.ts';

export async function drawReleases(site: SiteIndex): Promise<HTMLElement> {
	const cells = await loadCells();
	const releases = site.eras.map(({ anchor }, era) => ({ anchor, era })).toReversed();
	// Newest first, because the end of a table wider than the screen is hidden.
	const levels = site.rows.map(({ metric, standing }, index) => [
		standing === null ? '–' : figure(change(metric, standing.theta), range(metric, standing.low, standing.high)),
		...releases.map(({ era }) => {
			const eraAnchor = cells[index]?.anchors[era];
			if (!eraAnchor) return '–';
			// All releases are measured against the latest.
			if (eraAnchor.se === 0) return change(metric, eraAnchor.level);
			return figure(change(metric, eraAnchor.level), interval(metric, eraAnchor.level, eraAnchor.se));
		}),
	]);
	const names = ['now', ...releases.map(({ anchor }) => anchor)];
	return h(
		'section',
		{},
		h('h1', {}, releases.length === 1 ? 'One release so far' : `${releases.length} releases`),
		h(
			'p',
			{ class: 'lead quiet' },
			'The main branch now and each release, in percent of the latest release. Older releases are less certain: each release in between adds the error of one measurement.',
		),
		names.length > site.rows.length
			? table(
					CAPTION,
					[['release'], ...site.rows.map((row) => [rowName(row), 'right'] as const)],
					names.map((name, at) => [name, ...levels.map((rowLevels) => rowLevels[at] ?? '–')]),
					'matrix',
				)
			: table(
					CAPTION,
					[['row'], ...names.map((name) => [name, 'right'] as const)],
					levels.map((rowLevels, index) => [rowLink(site, index), ...rowLevels]),
					'matrix',
				),
	);
}

const CAPTION = 'Levels by release, newest first, with 95 % intervals';

function figure(level: string, interval: string): HTMLElement {
	return h('span', { class: 'figure' }, level, ' ', h('small', { class: 'quiet' }, interval));
}

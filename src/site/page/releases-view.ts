import type { SiteIndex } from '../site-data.ts';
import { h, table } from './dom.ts';
import { loadCell } from './load.ts';
import { change, interval, range, rowLink } from './words.ts';

export async function drawReleases(site: SiteIndex): Promise<HTMLElement> {
	const cells = await Promise.all(site.rows.map(({ file }) => loadCell(file)));
	const eras = site.eras;
	const levels = site.rows.map(({ metric, standing }, index) => [
		...eras.map((_, era) => {
			const eraAnchor = cells[index]?.anchors[era];
			if (!eraAnchor) return '–';
			// All releases are measured against the latest.
			if (eraAnchor.se === 0) return change(metric, eraAnchor.level);
			return figure(change(metric, eraAnchor.level), interval(metric, eraAnchor.level, eraAnchor.se));
		}),
		standing === null ? '–' : figure(change(metric, standing.theta), range(metric, standing.low, standing.high)),
	]);
	const names = [...eras.map(({ anchor }) => anchor), 'now'];
	return h(
		'section',
		{},
		h('h1', {}, eras.length === 1 ? 'One release so far' : `${eras.length} releases`),
		h(
			'p',
			{ class: 'lead quiet' },
			'Each release, and the main branch now, in percent of the latest release. The further back, the less sure: every release adds a measurement in between.',
		),
		names.length > site.rows.length ? byRelease(site, names, levels) : byRow(site, names, levels),
	);
}

const CAPTION = 'Levels by release, with 95 % intervals';
type Levels = readonly (readonly (HTMLElement | string)[])[];

function byRow(site: SiteIndex, names: readonly string[], levels: Levels): HTMLElement {
	return table(
		CAPTION,
		[['row'], ...names.map((name) => [name, 'right'] as const)],
		levels.map((rowLevels, index) => [rowLink(site, index), ...rowLevels]),
	);
}

/** Lists the newest release first if there are many, because the end of a table wider than the screen is hidden. */
function byRelease(site: SiteIndex, names: readonly string[], levels: Levels): HTMLElement {
	return table(
		CAPTION,
		[['release'], ...site.rows.map(({ id }) => [id, 'right'] as const)],
		names.map((name, at) => [name, ...levels.map((rowLevels) => rowLevels[at] ?? '–')]).toReversed(),
	);
}

function figure(level: string, interval: string): HTMLElement {
	return h('span', { class: 'figure' }, level, ' ', h('small', { class: 'quiet' }, interval));
}

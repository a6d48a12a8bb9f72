import { rowAddress } from '../../text/dashboard-address.ts';
import { formatChange, formatInterval, formatRange, formatShare } from '../../text/numbers.ts';
import { METRICS, type MetricName } from '../../types/metric.ts';
import { REFERENCE_SERVER } from '../../types/shared-names.ts';
import type { SiteCell, SiteIndex, SiteRow, SiteShare } from '../site-data.ts';
import { h } from './dom.ts';

export const OF_REFERENCE = `of ${REFERENCE_SERVER}`;

const LONGEST_NAME = 24;

/** Turns a level (negative is worse) into a log ratio of the metric itself. */
export const turned = (metric: MetricName, level: number): number =>
	METRICS[metric].better === 'lower' ? -level : level;
/** Writes a level as a change: `−3.1 %`. */
export const change = (metric: MetricName, level: number): string => formatChange(Math.expm1(turned(metric, level)));
/** `[−3.9 … −2.3]`, ± `reach` standard errors. */
export const interval = (metric: MetricName, level: number, se: number, reach = 1.96): string =>
	range(metric, level - reach * se, level + reach * se);
export const range = (metric: MetricName, low: number, high: number): string => formatInterval(ends(metric, low, high));
/** Writes an interval for sentences: `−3.9 to −2.3 %`. */
export const spoken = (metric: MetricName, low: number, high: number): string => formatRange(ends(metric, low, high));
export const unit = (metric: MetricName): string => (metric === 'throughput' ? 'requests/s' : METRICS[metric].label);

function ends(metric: MetricName, low: number, high: number): { readonly low: number; readonly high: number } {
	const [one, other] = [Math.expm1(turned(metric, low)), Math.expm1(turned(metric, high))];
	return { low: Math.min(one, other), high: Math.max(one, other) };
}
/** `42 % [40 … 44]`. */
export const share = (siteShare: SiteShare | null): string =>
	formatShare(siteShare && { value: siteShare[0], low: siteShare[1], high: siteShare[2] });
/** Empty if no row has a share. */
export const shareColumn = (
	rows: readonly { readonly ofReference: unknown }[],
): readonly (readonly [string, 'right'])[] =>
	rows.some(({ ofReference }) => ofReference !== null) ? [[OF_REFERENCE, 'right']] : [];
export const perSecond = (rate: number | null): string => (rate === null ? '–' : Math.round(rate).toLocaleString('en'));

/** Returns `1a2b3c4 Fix a leak`. */
export function commitText({ commits }: SiteIndex, index: number): string {
	return `${shortName({ commits }, index)} ${commits.title[index] ?? ''}`.trim();
}

/** Returns a release's name, or else seven digits of the hash. */
export function shortName(site: Pick<SiteIndex, 'commits'>, index: number): string {
	const hash = shortHash(site, index);
	const label = site.commits.label[index] ?? '';
	return label === '' || label.includes(hash) ? hash : label.slice(0, LONGEST_NAME);
}

function shortHash({ commits }: Pick<SiteIndex, 'commits'>, index: number): string {
	return commits.sha[index]?.slice(0, 7) ?? commits.label[index] ?? '?';
}

/** Returns the standard error against the latest anchor, including the links. */
export function seAt({ era, se, anchors }: SiteCell, point: number): number {
	return Math.hypot(se[point] ?? 0, anchors[era[point] ?? -1]?.se ?? 0);
}

/** Returns the standard error between two points. It includes only the links between them. */
export function seBetween({ era, se, anchors }: SiteCell, one: number, other: number): number {
	if (one === other) return 0;
	const linksAt = (point: number) => (anchors[era[point] ?? -1]?.se ?? 0) ** 2;
	const links = Math.abs(linksAt(one) - linksAt(other));
	return Math.sqrt(links + (se[one] ?? 0) ** 2 + (se[other] ?? 0) ** 2);
}

export function commitLink(site: SiteIndex, index: number): HTMLElement {
	const [sha = null, title = ''] = [site.commits.sha[index], site.commits.title[index]];
	return h(
		'span',
		{ class: 'commit' },
		repositoryLink(site, sha && `commit/${sha}`, h('code', {}, shortName(site, index))),
		' ',
		h('bdi', { class: 'title' }, title),
	);
}

export function repositoryLink(
	{ repository }: SiteIndex,
	path: string | null,
	words: HTMLElement | string,
): HTMLElement {
	if (repository === null || path === null) return h('span', {}, words);
	return h('a', { href: `${repository}/${path}`, rel: 'noopener' }, words);
}

export function rowName({ server, scenario, metric }: Pick<SiteRow, 'server' | 'scenario' | 'metric'>): string {
	return `${server}/${scenario}${metric === 'throughput' ? '' : `, ${unit(metric)}`}`;
}

export function rowLink(site: SiteIndex, index: number): HTMLElement {
	const row = site.rows[index];
	return row ? h('a', { href: rowAddress(row) }, rowName(row)) : h('span', {}, '?');
}

/** Returns a commit's day in UTC, `2025-03-01`. */
export function dayOf({ commits }: Pick<SiteIndex, 'commits'>, index: number): string {
	const at = commits.at[index];
	return at === undefined ? '–' : new Date(at * 1000).toISOString().slice(0, 10);
}

export function day(site: SiteIndex, index: number): HTMLElement {
	return h('span', { class: 'day' }, dayOf(site, index));
}

export function anchorName({ eras }: Pick<SiteIndex, 'eras'>): string {
	return eras.at(-1)?.anchor ?? 'the anchor';
}

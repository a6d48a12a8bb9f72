import { formatChange, formatInterval, formatRange, formatShare } from '../../text/numbers.ts';
import { METRICS, type MetricName } from '../../types/metric.ts';
import { REFERENCE_SERVER } from '../../types/shared-names.ts';
import type { SiteCell, SiteChange, SiteIndex, SiteShare } from '../site-data.ts';
import { addressOf } from './address.ts';
import { h } from './dom.ts';

export const OF_REFERENCE = `of ${REFERENCE_SERVER}`;

const LONGEST_NAME = 24;

/** Turns a level (negative is worse) into a log ratio of the metric itself. */
export const turned = (metric: MetricName, level: number): number =>
	METRICS[metric].better === 'lower' ? -level : level;
/** Writes a level as a change: `−3.1 %`. */
export const change = (metric: MetricName, level: number): string => formatChange(Math.expm1(turned(metric, level)));
/** Writes its 95 % interval: `[−3.9 … −2.3]`. */
export const interval = (metric: MetricName, level: number, se: number): string =>
	range(metric, level - 1.96 * se, level + 1.96 * se);
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

/** Returns seven digits of the hash, or else the label; commands accept both. */
export function shortHash({ commits }: Pick<SiteIndex, 'commits'>, index: number): string {
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

/** Returns a link to a commit's page; without a repository, only its name. */
export function commitLink(site: SiteIndex, index: number): HTMLElement {
	const sha = site.commits.sha[index];
	const name = h('code', {}, shortName(site, index));
	const link =
		site.repository && sha ? h('a', { href: `${site.repository}/commit/${sha}`, rel: 'noopener' }, name) : name;
	return h('span', { class: 'commit' }, link, ' ', h('span', { class: 'title' }, site.commits.title[index] ?? ''));
}

export function rowLink(site: SiteIndex, row: number): HTMLElement {
	const { id, server, scenario, metric } = site.rows[row] ?? {
		id: '',
		server: '?',
		scenario: '?',
		metric: 'throughput' as const,
	};
	const more = metric === 'throughput' ? '' : `, ${unit(metric)}`;
	return h('a', { href: addressOf('cell', id.split('/')) }, `${server}/${scenario}${more}`);
}

/** Returns a commit's day in UTC, `2025-03-01`. */
export function dayOf({ commits }: SiteIndex, index: number): string {
	const at = commits.at[index];
	return at === undefined ? '–' : new Date(at * 1000).toISOString().slice(0, 10);
}

/** Returns the last commit surely before a change, and the last that may be the first changed one. */
export function rangeOf({ candidates, commit }: SiteChange): { readonly good: number | null; readonly bad: number } {
	const commits = candidates.map(([index]) => index);
	const first = Math.min(commit, ...commits);
	return { good: first > 0 ? first - 1 : null, bad: Math.max(commit, ...commits) };
}

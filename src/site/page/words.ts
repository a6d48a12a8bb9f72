import { formatChange, formatInterval, formatRange, formatShare } from '../../text/numbers.ts';
import { METRICS, type MetricName } from '../../types/metric.ts';
import { REFERENCE_SERVER } from '../../types/shared-names.ts';
import type { SiteCell, SiteChange, SiteIndex, SiteShare } from '../site-data.ts';
import { addressOf } from './address.ts';
import { h } from './dom.ts';

/** Heading of figures as a share of the reference server's. */
export const OF_REFERENCE = `of ${REFERENCE_SERVER}`;

/** Names of releases are cut there. */
const LONGEST_NAME = 24;

/** A level, of which negative is worse, as a log ratio of the metric itself: of CPU per request more is worse. */
export const turned = (metric: MetricName, level: number): number =>
	METRICS[metric].better === 'lower' ? -level : level;
/** A level as a change of the metric: `−3.1 %`. */
export const change = (metric: MetricName, level: number): string => formatChange(Math.expm1(turned(metric, level)));
/** The 95 % interval of a level in percent: `[−3.9 … −2.3]`. */
export const interval = (metric: MetricName, level: number, se: number): string =>
	range(metric, level - 1.96 * se, level + 1.96 * se);
export const range = (metric: MetricName, low: number, high: number): string => formatInterval(ends(metric, low, high));
/** The same for a sentence: `−3.9 to −2.3 %`. */
export const spoken = (metric: MetricName, low: number, high: number): string => formatRange(ends(metric, low, high));
/** What a row is measured in. */
export const unit = (metric: MetricName): string => (metric === 'throughput' ? 'requests/s' : METRICS[metric].label);

function ends(metric: MetricName, low: number, high: number): { readonly low: number; readonly high: number } {
	const [one, other] = [Math.expm1(turned(metric, low)), Math.expm1(turned(metric, high))];
	return { low: Math.min(one, other), high: Math.max(one, other) };
}
/** A share with its interval: `42 % [40 … 44]`. */
export const share = (known: SiteShare | null): string =>
	formatShare(known && { value: known[0], low: known[1], high: known[2] });
/** The column of shares, where any row has one. */
export const shareColumn = (
	rows: readonly { readonly ofReference: unknown }[],
): readonly (readonly [string, 'right'])[] =>
	rows.some(({ ofReference }) => ofReference !== null) ? [[OF_REFERENCE, 'right']] : [];
export const perSecond = (rate: number | null): string => (rate === null ? '–' : Math.round(rate).toLocaleString('en'));

/** `1a2b3c4 Fix a leak`, as text. */
export function commitText({ commits }: SiteIndex, index: number): string {
	return `${shortName({ commits }, index)} ${commits.title[index] ?? ''}`.trim();
}

/** A release by its name, any other commit by its hash in seven digits. */
export function shortName(site: Pick<SiteIndex, 'commits'>, index: number): string {
	const hash = shortHash(site, index);
	const label = site.commits.label[index] ?? '';
	return label === '' || label.includes(hash) ? hash : label.slice(0, LONGEST_NAME);
}

/** The hash in seven digits, or the label where there is none: what a command takes. */
export function shortHash({ commits }: Pick<SiteIndex, 'commits'>, index: number): string {
	return commits.sha[index]?.slice(0, 7) ?? commits.label[index] ?? '?';
}

/** The standard error of a point against the latest anchor: the links in between add theirs. */
export function seAt({ era, se, anchors }: SiteCell, point: number): number {
	return Math.hypot(se[point] ?? 0, anchors[era[point] ?? -1]?.se ?? 0);
}

/** The standard error of one point against another: only the links between the two count. */
export function seBetween({ era, se, anchors }: SiteCell, one: number, other: number): number {
	if (one === other) return 0;
	const linksAt = (point: number) => (anchors[era[point] ?? -1]?.se ?? 0) ** 2;
	const links = Math.abs(linksAt(one) - linksAt(other));
	return Math.sqrt(links + (se[one] ?? 0) ** 2 + (se[other] ?? 0) ** 2);
}

/** A link to a commit's page, or its name where there is none. */
export function commitLink(site: SiteIndex, index: number): HTMLElement {
	const sha = site.commits.sha[index];
	const name = h('code', {}, shortName(site, index));
	const link =
		site.repository && sha ? h('a', { href: `${site.repository}/commit/${sha}`, rel: 'noopener' }, name) : name;
	return h('span', { class: 'commit' }, link, ' ', h('span', { class: 'title' }, site.commits.title[index] ?? ''));
}

/** A link to the page of a row. */
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

/** Day of a commit, in the reader's words. */
export function dayOf({ commits }: SiteIndex, index: number): string {
	const at = commits.at[index];
	return at === undefined ? '–' : new Date(at * 1000).toISOString().slice(0, 10);
}

/** The commits between which a change happened: the last that certainly had it not, and the last that may be the first to have it. */
export function rangeOf({ candidates, commit }: SiteChange): { readonly good: number | null; readonly bad: number } {
	const commits = candidates.map(([index]) => index);
	const first = Math.min(commit, ...commits);
	return { good: first > 0 ? first - 1 : null, bad: Math.max(commit, ...commits) };
}

import { formatChange, formatInterval, formatPercent, formatRange } from '../../text/numbers.ts';
import type { SiteChange, SiteIndex } from '../site-data.ts';
import { addressOf } from './address.ts';
import { h } from './dom.ts';

/** A log ratio as a change: `−3.1 %`. */
export const change = (level: number): string => formatChange(Math.expm1(level));
/** The 95 % interval of a log ratio in percent: `[−3.9 … −2.3]`. */
export const interval = (level: number, se: number): string =>
	formatInterval({ low: Math.expm1(level - 1.96 * se), high: Math.expm1(level + 1.96 * se) });
export const range = (low: number, high: number): string =>
	formatInterval({ low: Math.expm1(low), high: Math.expm1(high) });
/** The same for a sentence: `−3.9 to −2.3 %`. */
export const spoken = (low: number, high: number): string =>
	formatRange({ low: Math.expm1(low), high: Math.expm1(high) });
export const share = (fraction: number | null): string => formatPercent(fraction, 0);
export const perSecond = (rate: number | null): string => (rate === null ? '–' : Math.round(rate).toLocaleString('en'));

/** `1a2b3c4 Fix a leak`, as text. */
export function commitText({ commits }: SiteIndex, index: number): string {
	return `${shortName({ commits }, index)} ${commits.title[index] ?? ''}`.trim();
}

/** The hash in seven digits, or the label where there is none. */
export function shortName({ commits }: Pick<SiteIndex, 'commits'>, index: number): string {
	return commits.sha[index]?.slice(0, 7) ?? commits.label[index] ?? '?';
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
		metric: 'throughput',
	};
	const more = metric === 'throughput' ? '' : `, ${metric}`;
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
